import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../src/docs', path), 'utf8')

const PAGE = ['scheduled-pulls', 'staging', 'testing', 'workflow']
  .map((name) => read(`${name}.md`))
  .join('\n## \n')
const FENCE = /^```(?<language>\w+)\n(?<code>.*?)^```$/gms

/** The parsed YAML of the pages for a team, and of what they copy, that is for this file. */
export function recipe(path: string): unknown {
  const recipes = [...blocks('yaml', PAGE), read('scripts/github-pull.yml')]
  const found = recipes.find((code) => code.startsWith(`# ${path}`))
  if (found === undefined) throw new Error(`The pages have no ${path}.`)
  return parse(found)
}

/** The files under a heading of the pages for a team: code by path. */
export function filesUnder(heading: string): Record<string, string> {
  const files = ['ts', 'js', 'yaml'].flatMap((language) => blocks(language, section(heading)))
  return Object.fromEntries(
    files.map((code) => {
      const [head = '', ...lines] = code.split('\n')
      return [head.replace(/^(?:\/\/|#) /, ''), lines.join('\n')]
    }),
  )
}

/** The command lines under a heading of the pages for a team, without their comments. */
export function commandsUnder(heading: string): string[] {
  const lines = blocks('sh', section(heading)).flatMap((code) => code.trim().split('\n'))
  if (lines.length === 0) throw new Error(`The pages have no commands under ${heading}.`)
  return lines.map((line) => line.replace(/\s+# .*$/, ''))
}

/** A line that begins with one `#` is a comment in code. */
function section(heading: string): string {
  return PAGE.split(/^#{2,3} /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
}

function blocks(language: string, text: string): string[] {
  return [...text.matchAll(FENCE)].flatMap(({ groups }) =>
    groups?.['language'] === language ? [groups['code'] ?? ''] : [],
  )
}
