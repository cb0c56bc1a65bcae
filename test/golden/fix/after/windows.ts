import { prompts } from "virtual:prompts"

export const windows = prompts.supportTriage.render({
	message: "T9", // kept
	tone: "calm",
}).text
