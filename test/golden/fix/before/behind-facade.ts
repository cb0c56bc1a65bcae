import service, { prompts, triage, openai, oldSummary, summarizer, moved } from "./facade.ts";
import type { SummaryByKey, SummaryPrompt, TriageValues } from "./facade.ts";

export const direct = prompts.supportTriage.render({ ticket: "T2", tone: "calm" }).text;
export const byDefault = service.supportTriage.render({ ticket: "T2", tone: "calm" }).text;
export const reexported = triage.render({ ticket: "T2", tone: "calm" }).text;
export const chat = openai(triage, { ticket: "T2", tone: "calm" }).messages[0]?.content;
const given: TriageValues = { ticket: "T2", tone: "calm" };
export const typed = triage.render(given).text + given.ticket;
export const summary = oldSummary.render({ text: "long" }).text;
export const summary2 = summarizer.render({ text: "long" }).text;
export const summary3 = moved.render({ text: "long" }).text;
const first: SummaryPrompt = moved;
const second: SummaryByKey = first;
export const summary4 = second.render({ "text": "long" }).text;
