export { prompts, toOpenAI as openai } from "virtual:prompts";
export { oldSummary } from "virtual:prompts/all";
export { oldSummary as summarizer } from "virtual:prompts/all";
export type { VariablesOf } from "virtual:prompts";
import { prompts } from "virtual:prompts";

export const triage = prompts.supportTriage;
export const moved = prompts["old-summary"];
export type TriageValues = Parameters<typeof triage.render>[0];
export type SummaryPrompt = typeof prompts.oldSummary;
export type SummaryByKey = (typeof prompts)["old-summary"];
export const text = triage.render({ ticket: "T0", tone: "calm" }).text;
export default prompts;
