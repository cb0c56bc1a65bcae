// Plain JavaScript, because the nightly scripts read the setups too.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../src/docs/setup')
const FENCE = /^```(?<language>\w+)\n(?<code>.*?)^```$/gms
const PATH = /^(?:\/\/|<!--) (?<path>[\w./-]+\.\w+)(?: -->)?\n/

export function readmeSetups() {
  return readdirSync(FOLDER)
    .filter((file) => file !== 'README.md')
    .map((file) => {
      const [setup = ''] = readFileSync(join(FOLDER, file), 'utf8').split('\n## ')
      return { name: basename(file, '.md'), ...parseSetup(setup) }
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
      throw new Error(`This block of src/docs/setup names no file:\n${code}`)
    else files[path] = code.replace(PATH, '')
  }
  return { files, commands }
}
