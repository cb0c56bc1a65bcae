// Plain JavaScript, since the nightly scripts read README with it too.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const README = join(import.meta.dirname, '../../README.md')
const BLOCK = /<details><summary>(?<title>[^<]+)<\/summary>(?<text>.*?)<\/details>/gs
const FENCE = /^```(?<language>\w+)\n(?<code>.*?)^```$/gms
const PATH = /^(?:\/\/|<!--) (?<path>[\w./-]+\.\w+)(?: -->)?\n/

export function readmeSetups() {
  const [, section = ''] = readFileSync(README, 'utf8').split('\n## Bundlers and frameworks\n')
  const [blocks = ''] = section.split('\n### ')
  return [...blocks.matchAll(BLOCK)].map(({ groups: { title, text } }) => ({
    title,
    ...parseSetup(text),
  }))
}

function parseSetup(text) {
  const files = {}
  const commands = []
  for (const { groups } of text.matchAll(FENCE)) {
    const { language, code } = groups
    const path = PATH.exec(code)?.groups.path
    if (language === 'sh') commands.push(...code.trim().split('\n'))
    else if (path === undefined) throw new Error(`This block of README names no file:\n${code}`)
    else files[path] = code.replace(PATH, '')
  }
  return { files, commands }
}
