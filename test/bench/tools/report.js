import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { median, ratioOf } from './statistics.js'

/** A measured line without a goal, such as what the others are compared with. */
export function shown(what, samples, unit = milliseconds) {
  return { what, median: unit(median(samples)), ratio: '', must: '', state: '' }
}

/** A line whose ratio to another must not go beyond a limit. */
export function compared(what, samples, { against, most }) {
  const ratio = ratioOf(samples, against)
  const state = ratio <= most ? 'ok' : 'short'
  return { ...shown(what, samples), ratio: ratio.toFixed(2), must: `≤ ${most}`, state }
}

/** A line whose median must not go beyond a limit in milliseconds. */
export function limited(what, samples, most) {
  const state = median(samples) <= most ? 'ok' : 'short'
  return { ...shown(what, samples), must: `≤ ${milliseconds(most)}`, state }
}

/** A time in a unit that can be read. */
function milliseconds(value) {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`
  return `${value.toFixed(value >= 100 ? 0 : 1)} ms`
}

/** Kilobytes of `maxRSS` as megabytes. */
export function megabytes(kilobytes) {
  return `${Math.round(kilobytes / 1024)} MB`
}

/** Rows as a table of Markdown. */
export function printMarkdown(rows) {
  const head = { what: 'What', median: 'Median', ratio: 'Ratio', must: 'Must reach', state: '' }
  const line = (row) =>
    `| ${Object.keys(head)
      .map((name) => row[name])
      .join(' | ')} |`
  return [line(head), '| --- | ---: | ---: | ---: | --- |', ...rows.map(line)].join('\n')
}

/** The machine in one line, with how busy it was when the run began. */
export function describeMachine() {
  const [{ model }] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return [
    `${cpus().length} × ${model.trim()}`,
    `${memory} GB`,
    `${type()} ${release()}`,
    `Node ${process.versions.node}`,
    `load ${loadavg()[0].toFixed(1)} at the start`,
  ].join(', ')
}

const README = join(import.meta.dirname, '../README.md')

/** Replaces the section of one benchmark in the README of the benchmarks. */
export async function writeResults(name, { title, rounds, rows }, machine) {
  const text = await readFile(README, 'utf8')
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->\n`]
  const section = `## ${title}\n\n\`npm run bench -- ${name}\` · ${rounds} rounds · ${machine}\n\n${printMarkdown(rows)}\n\n`
  const before = text.indexOf(start)
  const after = text.indexOf(end)
  if (before === -1) await writeFile(README, `${text.trimEnd()}\n\n${start}\n${section}${end}`)
  else await writeFile(README, `${text.slice(0, before)}${start}\n${section}${text.slice(after)}`)
}
