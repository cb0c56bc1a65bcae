// Run before publishing, with the repository (such as `acme/unplugin-prompts`) and the tag: package.json
// names the repository, without which the registry refuses provenance, and README's links and
// pictures, which are files of the repository, get addresses that work on the registry's page.
import { readFileSync, writeFileSync } from 'node:fs'

const [repository, tag] = process.argv.slice(2)
const home = `https://github.com/${repository}`

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
Object.assign(manifest, {
  repository: { type: 'git', url: `git+${home}.git` },
  homepage: `${home}#readme`,
  bugs: { url: `${home}/issues` },
})
writeFileSync('package.json', `${JSON.stringify(manifest, undefined, 2)}\n`)

const readme = readFileSync('README.md', 'utf8')
const local = /(?<before>\]\(|(?:src|srcset|href)=")(?![a-z]+:|#)(?<path>[^)"]+)/g
writeFileSync(
  'README.md',
  readme.replaceAll(local, (_, before, path) => {
    const view = path.endsWith('.png') ? 'raw' : 'blob'
    return `${before}${home}/${view}/${tag}/${path}`
  }),
)
