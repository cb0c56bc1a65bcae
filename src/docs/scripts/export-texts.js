// Writes the live texts of prompts.lock.json into a folder, as a service can read them (moving-in.md):
// node node_modules/unplugin-prompts/dist/docs/scripts/export-texts.js
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const { prompts } = JSON.parse(readFileSync('prompts.lock.json', 'utf8'))
for (const { slug, live } of prompts) {
  for (const role of live === null ? [] : ['system', 'user']) {
    const path = `texts/${slug}.${role}.md`
    mkdirSync(dirname(path), { recursive: true })
    // The last line of a text in the lock is empty, so the file ends with a line break.
    writeFileSync(path, live[role].join('\n'))
  }
}
