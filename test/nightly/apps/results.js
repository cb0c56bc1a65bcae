// The cells of the tables that the nightly checks of frameworks print.

/** Keys that no code may contain. */
export const KEY = 'svc_live_ofTheNightlyTest42'
export const TEST_KEY = 'svc_test_ofTheNightlyTest42'

/** The only prompt that the apps use. */
export const USED = 'support-triage'

/** What the steps give for an app, by their names, unless the app has a reason to leave one out. */
export async function cellsOf(name, steps, app) {
  const cells = {}
  for (const [cell, step] of Object.entries(steps)) {
    if (cell === 'build') await app.server?.stop()
    cells[cell] =
      app.reasons?.[cell] ?? (await step(app).catch((error) => failure(`${name}, ${cell}`, error)))
    console.log(`${name}, ${cell}: ${cells[cell]}`)
  }
  await app.server?.stop()
  return cells
}

/** Prints a failure, and returns its cell. */
export function failure(what, { message }) {
  console.error(`${what}: ${message}`)
  const line = message.split('\n').find((each) => !each.startsWith('npm warn'))
  return `no: ${line.slice(0, 60)}`
}

/** Whether each cell is a "yes" or a reason that is known. */
export function areFine(cells, reasons = {}) {
  return Object.entries(cells).every(
    ([cell, text]) => text.startsWith('yes') || text === reasons[cell],
  )
}

/** A cell of a step that works, with its duration. */
export function yesIn(seconds) {
  return `yes, ${seconds.toFixed(1)} s`
}

/** Whether an answer shows a version of the prompt. */
export function has(version) {
  return ({ status, text }) => status === 200 && text.includes(version)
}
