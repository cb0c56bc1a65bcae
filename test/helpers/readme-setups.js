// Plain JavaScript, because the nightly scripts read the setups too.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DOCS = join(import.meta.dirname, '../../src/docs')
const FENCE = /^```(?<language>\w+)\n(?<code>.*?)^```$/gms
const PATH = /^(?:\/\/|<!--) (?<path>[\w./-]+\.\w+)(?: -->)?\n/
const PULL = 'npx prompts pull'

export function readmeSetups() {
  const pages = readdirSync(join(DOCS, 'setup')).filter((file) => file !== 'README.md')
  return [...pages.map((file) => `setup/${file}`), 'testing.md'].flatMap(setupsOf)
}

/** A section that installs is a setup of its own; another one adds its files to what begins the page. */
function setupsOf(page) {
  const sections = readFileSync(join(DOCS, page), 'utf8').split(/^#+ /m).slice(1)
  const [start, ...rest] = sections.map((section) => parseSection(section, page))
  const others = rest
    .filter(({ files }) => Object.keys(files).length > 0)
    .map((section) => (installs(section) ? section : joined(start, section)))
  return [start, ...others].filter((setup) => installs(setup) && setup.commands.at(-1) !== PULL)
}

function installs({ commands }) {
  return commands.some((command) => command.startsWith('npm install'))
}

function joined(start, { name, files, commands }) {
  return {
    name,
    files: { ...start.files, ...files },
    commands: [...start.commands, ...commands],
  }
}

function parseSection(section, page) {
  const [name = ''] = section.toLowerCase().match(/^\w+/) ?? []
  const files = {}
  const commands = []
  for (const { groups } of section.matchAll(FENCE)) {
    const { language, code } = groups
    const path = PATH.exec(code)?.groups.path
    if (language === 'sh') commands.push(...code.trim().split('\n'))
    else if (path !== undefined) files[path] = code.replace(PATH, '')
    else if (page.startsWith('setup/'))
      throw new Error(`This block of src/docs/${page} names no file:\n${code}`)
  }
  return { name, files, commands }
}
