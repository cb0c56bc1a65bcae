// Run by `npm version`: the unreleased changes become those of the new version.
import { readFileSync, writeFileSync } from 'node:fs'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const text = readFileSync('CHANGELOG.md', 'utf8')
const unreleased = /^## \[Unreleased\]\n\n(?=[^#]|###)/m
if (!unreleased.test(text))
  throw new Error('CHANGELOG.md has no unreleased changes: describe them first.')
const date = new Date().toISOString().slice(0, 10)
writeFileSync(
  'CHANGELOG.md',
  text.replace(unreleased, `## [Unreleased]\n\n## [${version}] - ${date}\n\n`),
)
