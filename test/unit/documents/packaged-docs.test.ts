import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeDocs } from '../../../src/build/docs.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const DOCS = join(import.meta.dirname, '../../../src/docs')
const LINK = /\]\((?<path>[^()#\s:]+)(?=[#)])/g

test('the documents of the package link only to each other', async () => {
  const folder = await temporaryFolder()
  await writeDocs(DOCS, folder)
  const pages = await readdir(folder)
  expect(pages).toContain('errors.md')
  expect(pages).toContain('SKILL.md')
  expect(pages).toContain('json.schema.json')
  for (const page of pages) {
    const links = (await readFile(join(folder, page), 'utf8')).matchAll(LINK)
    for (const { groups } of links) expect(pages).toContain(groups?.['path'])
  }
})
