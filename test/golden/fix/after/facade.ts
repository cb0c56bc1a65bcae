export { prompts, toOpenAI as openai } from "virtual:prompts";
export { newSummary as oldSummary } from "virtual:prompts/all";
export { newSummary as summarizer } from "virtual:prompts/all";
export type { VariablesOf } from "virtual:prompts";
import { prompts } from "virtual:prompts";

export const triage = prompts.supportTriage;
export const moved = prompts["new-summary"];
export type TriageValues = Parameters<typeof triage.render>[0];
export type SummaryPrompt = typeof prompts.newSummary;
export type SummaryByKey = (typeof prompts)["new-summary"];
export const text = triage.render({ message: "T0", tone: "calm" }).text;
export default prompts;
