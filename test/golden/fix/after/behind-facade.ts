import service, { prompts, triage, openai, oldSummary, summarizer, moved } from "./facade.ts";
import type { SummaryByKey, SummaryPrompt, TriageValues } from "./facade.ts";

export const direct = prompts.supportTriage.render({ message: "T2", tone: "calm" }).text;
export const byDefault = service.supportTriage.render({ message: "T2", tone: "calm" }).text;
export const reexported = triage.render({ message: "T2", tone: "calm" }).text;
export const chat = openai(triage, { message: "T2", tone: "calm" }).messages[0]?.content;
const given: TriageValues = { message: "T2", tone: "calm" };
export const typed = triage.render(given).text + given.message;
export const summary = oldSummary.render({ body: "long" }).text;
export const summary2 = summarizer.render({ body: "long" }).text;
export const summary3 = moved.render({ body: "long" }).text;
const first: SummaryPrompt = moved;
const second: SummaryByKey = first;
export const summary4 = second.render({ "body": "long" }).text;
