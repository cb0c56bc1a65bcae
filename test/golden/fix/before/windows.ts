import { prompts } from "virtual:prompts"

export const windows = prompts.supportTriage.render({
	ticket: "T9", // kept
	tone: "calm",
}).text
