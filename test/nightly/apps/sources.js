// The code with prompts that the apps of all frameworks contain.

export const IMPORT = "import { prompts } from 'virtual:prompts'\n"

/** An expression with the text of the prompt. */
export const TEXT = "prompts.supportTriage.render({ ticket: 'It beeps', tone: 'calm' }).text"

/** What every page with the text of the prompt shows. */
export const RENDERED = 'It beeps'

/** Code that the declarations refuse: the prompt has another variable. */
export const WRONG = `${IMPORT}prompts.supportTriage.render({ tickets: 'It beeps', tone: 'calm' })\n`
