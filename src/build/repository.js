// `npm run repository acme/unplugin-prompts`: package.json names its repository on GitHub, without which the
// registry refuses provenance, and agents' tools do not list the skill.
import { readFileSync, writeFileSync } from 'node:fs'

const [repository = ''] = process.argv.slice(2)
if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Error('Name the repository: owner/name')
const home = `https://github.com/${repository}`

const { license, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'))
const fields = {
  homepage: `${home}#readme`,
  bugs: { url: `${home}/issues` },
  license,
  repository: { type: 'git', url: `git+${home}.git` },
}
const entries = Object.entries(manifest).filter(([name]) => !(name in fields))
const before = entries.findIndex(([name]) => name === 'bin')
entries.splice(before, 0, ...Object.entries(fields))
writeFileSync('package.json', `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`)
