// Run before publishing, with the tag: README's links and pictures, which are files of the repository, get
// addresses that work on the registry's page and in the installed package.
import { readFileSync, writeFileSync } from 'node:fs'

const [tag] = process.argv.slice(2)
const { repository } = JSON.parse(readFileSync('package.json', 'utf8'))
if (repository === undefined)
  throw new Error(
    'package.json has no repository: run `npm run repository owner/name`, and commit it.',
  )
const home = repository.url.replace(/^git\+|\.git$/g, '')

const readme = readFileSync('README.md', 'utf8')
const local = /(?<before>\]\(|(?:src|srcset|href)=")(?![a-z]+:|#)(?<path>[^)"]+)/g
writeFileSync(
  'README.md',
  readme.replaceAll(local, (_, before, path) => {
    const view = path.endsWith('.png') ? 'raw' : 'blob'
    return `${before}${home}/${view}/${tag}/${path}`
  }),
)
