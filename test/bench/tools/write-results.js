import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printMarkdown } from './report.js'

const FILE = join(import.meta.dirname, '../README.md')

/** Replaces the section of one benchmark in the README of the benchmarks. */
export async function writeResults(name, { title, rounds, rows }, machine) {
  const text = await readFile(FILE, 'utf8')
  const start = `<!-- ${name} -->\n`
  const end = `<!-- /${name} -->\n`
  const section = `## ${title}\n\n\`npm run bench -- ${name}\` · ${rounds} rounds · ${machine}\n\n${printMarkdown(rows)}\n\n`
  const before = text.indexOf(start)
  const after = text.indexOf(end)
  if (before === -1) await writeFile(FILE, `${text.trimEnd()}\n\n${start}\n${section}${end}`)
  else await writeFile(FILE, `${text.slice(0, before)}${start}\n${section}${text.slice(after)}`)
}
