import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { median, ratioOf } from './statistics.js'

/** A measured line without a goal, such as what the others are compared with. */
export function shown(what, samples) {
  return { what, median: milliseconds(median(samples)), ratio: '', must: '', state: '' }
}

/** A line with its ratio to another, which must not go beyond a limit if there is one. */
export function compared(what, samples, { against, most }) {
  const ratio = ratioOf(samples, against)
  const line = { ...shown(what, samples), ratio: ratio.toFixed(2) }
  return most === undefined ? line : { ...line, must: `≤ ${most}`, state: judge(ratio, most) }
}

/** A line of samples in bytes. */
export function ofMemory(line, samples) {
  return { ...line, median: `${Math.round(median(samples) / 1e6)} MB` }
}

/** A line whose median must not go beyond a limit in milliseconds. */
export function limited(what, samples, most) {
  const state = judge(median(samples), most)
  return { ...shown(what, samples), must: `≤ ${milliseconds(most)}`, state }
}

function judge(value, most) {
  return value <= most ? 'ok' : 'short'
}

/** A time in a unit that can be read. */
function milliseconds(value) {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`
  return `${value.toFixed(value >= 100 ? 0 : 1)} ms`
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
