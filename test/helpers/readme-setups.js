// Plain JavaScript, because the nightly scripts read the setups too.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = join(import.meta.dirname, '../../src/docs/bundlers.md')
const FENCE = /^```(?<language>\w+)\n(?<code>.*?)^```$/gms
const PATH = /^(?:\/\/|<!--) (?<path>[\w./-]+\.\w+)(?: -->)?\n/

export function readmeSetups() {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split('\n## Setups\n')
  const [setups = ''] = section.split('\n## ')
  const [, ...blocks] = setups.split('\n### ')
  return blocks.map((block) => {
    const [title = '', ...text] = block.split('\n')
    return { title, ...parseSetup(text.join('\n')) }
  })
}

function parseSetup(text) {
  const files = {}
  const commands = []
  for (const { groups } of text.matchAll(FENCE)) {
    const { language, code } = groups
    const path = PATH.exec(code)?.groups.path
    if (language === 'sh') commands.push(...code.trim().split('\n'))
    else if (path === undefined)
      throw new Error(`This block of src/docs/bundlers.md names no file:\n${code}`)
    else files[path] = code.replace(PATH, '')
  }
  return { files, commands }
}
