import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { writeDocs, writeSkill } from '../../../src/build/package-files.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const DOCS = join(import.meta.dirname, '../../../src/docs')
const LINK = /\]\((?<path>[^()#\s:]+)(?=[#)])/g

test('the documents of the package link only to each other', async () => {
  const folder = await temporaryFolder()
  await writeDocs(DOCS, folder)
  const files = await readdir(folder, { recursive: true })
  const pages = files.map((file) => file.replaceAll('\\', '/'))
  expect(pages).toEqual(expect.arrayContaining(['SKILL.md', 'json.schema.json', 'setup/vite.md']))
  for (const page of pages.filter((file) => file.endsWith('.md'))) {
    const links = (await readFile(join(folder, page), 'utf8')).matchAll(LINK)
    for (const { groups } of links) {
      expect(pages).toContain(posix.join(posix.dirname(page), groups?.['path'] ?? ''))
    }
  }
})

test('the skill of the package links to the pages beside it', async () => {
  const folder = await temporaryFolder()
  await writeDocs(DOCS, join(folder, 'dist/docs'))
  const skill = join(folder, 'skills/unplugin-prompts')
  await writeSkill(DOCS, skill)
  const text = await readFile(join(skill, 'SKILL.md'), 'utf8')
  const links = Array.from(text.matchAll(LINK), ({ groups }) => groups?.['path'] ?? '')
  expect(text).toMatch(/^---\nname: unplugin-prompts\n/)
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter((path) => !existsSync(join(skill, path)))).toEqual([])
})
