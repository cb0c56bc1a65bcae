export { type NextOptions, withPrompts as default } from './plugin/next/with-prompts.ts'
