/** Milliseconds. A longer wait is an error that states it, so that the user decides. */
export const MAX_WAIT: number = 60_000

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/

/**
 * The three date formats of RFC 9110, section 5.6.7. `Date.parse` would accept almost any
 * word with a digit.
 */
const DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/**
 * Returns the delay of a `Retry-After` header.
 *
 * @param now - milliseconds since the epoch
 * @returns milliseconds, not negative, possibly `Infinity`; `undefined` if there is no valid header
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const wait = NUMBER.test(text) ? Number(text) * 1000 : parseDate(text) - now
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

function parseDate(text: string): number {
  if (!DATES.some((format) => format.test(text))) return Number.NaN
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
}

const DAY = 86_400_000

/** Formats a delay; `''` if there is none. */
export function formatWait(milliseconds: number | undefined): string {
  if (milliseconds === undefined || milliseconds === 0) return ''
  return milliseconds > DAY ? 'more than a day' : `${Math.ceil(milliseconds / 1000)} s`
}
