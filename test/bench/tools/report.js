import { median, ratioOf } from './statistics.js'

/**
 * One line of a result.
 *
 * @typedef {{ what: string, median: string, ratio: string, must: string, state: 'ok' | 'short' | '' }} Row
 */

/** A measured line without a goal, such as what the others are compared with. */
export function shown(what, samples, unit = milliseconds) {
  return { what, median: unit(median(samples)), ratio: '', must: '', state: '' }
}

/** A line whose ratio to another must not go beyond a limit; without a limit it is only shown. */
export function compared(what, samples, { against, most, unit = milliseconds, of = '' }) {
  const ratio = ratioOf(samples, against)
  return {
    what,
    median: unit(median(samples)),
    ratio: `${ratio.toFixed(2)}${of === '' ? '' : ` of ${of}`}`,
    must: most === undefined ? '' : `≤ ${most}`,
    state: most === undefined ? '' : ratio <= most ? 'ok' : 'short',
  }
}

/** A line whose own value must not go beyond a limit. */
export function limited(what, value, { most, unit = String }) {
  return {
    what,
    median: unit(value),
    ratio: '',
    must: `≤ ${unit(most)}`,
    state: value <= most ? 'ok' : 'short',
  }
}

/** A time in a unit that can be read. */
export function milliseconds(value) {
  if (value < 0) return `−${milliseconds(-value)}`
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`
  if (value >= 1) return `${value.toFixed(value >= 100 ? 0 : 1)} ms`
  return `${(value * 1e6).toFixed(0)} ns`
}

/** Kilobytes of `maxRSS` as megabytes. */
export function megabytes(kilobytes) {
  return `${Math.round(kilobytes / 1024)} MB`
}

const COLUMNS = /** @type {const} */ (['what', 'median', 'ratio', 'must', 'state'])
const HEADS = {
  what: 'What',
  median: 'Median',
  ratio: 'Ratio',
  must: 'Must reach',
  state: '',
}

/** Rows as columns for a terminal. */
export function printTable(rows) {
  const all = [HEADS, ...rows]
  const widths = COLUMNS.map((name) => Math.max(...all.map((row) => row[name].length)))
  return all
    .map((row) =>
      COLUMNS.map((name, index) => row[name].padEnd(widths[index]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Rows as a table of Markdown. */
export function printMarkdown(rows) {
  const line = (row) => `| ${COLUMNS.map((name) => row[name]).join(' | ')} |`
  return [line(HEADS), '| --- | ---: | ---: | ---: | --- |', ...rows.map(line)].join('\n')
}
