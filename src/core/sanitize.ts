import { INVISIBLE } from './quote.ts'

/** Escape sequences that a terminal obeys: CSI, OSC, DCS, APC, PM, SOS and the two-character ones. */
const SEQUENCES =
  // oxlint-disable-next-line no-control-regex -- finding control characters is its purpose
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g

const CONTROLS = new RegExp(`[\\u0000-\\u001f\\u007f-\\u009f${INVISIBLE}]`, 'gu')

/**
 * Makes remote text safe to print inside a line of terminal or log output: escape sequences and
 * invisible characters are removed, line breaks and tabs become spaces, so that it can neither
 * move the cursor nor begin a line (FAULTS 37 and 38). Every remote text that reaches a person
 * goes through here.
 */
export function sanitize(text: string): string {
  return text
    .replaceAll(SEQUENCES, '')
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(CONTROLS, '')
}
