import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printMarkdown } from './report.js'

/** The README of the benchmarks. */
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
