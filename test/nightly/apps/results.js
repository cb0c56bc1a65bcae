// The cells of the tables that the nightly checks of frameworks print.

/** Keys that no code may contain. */
export const KEY = 'svc_live_ofTheNightlyTest42'
export const TEST_KEY = 'svc_test_ofTheNightlyTest42'

/** The only prompt that the apps use. */
export const USED = 'support-triage'

/** A cell of a step that works, with its duration. */
export function yesIn(seconds) {
  return `yes, ${seconds.toFixed(1)} s`
}

/** Whether an answer shows a version of the prompt. */
export function has(version) {
  return ({ status, text }) => status === 200 && text.includes(version)
}
