import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { writeDocs } from '../../../src/build/package-files.ts'
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
