import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GENERATED_BY } from '../../../src/core/generated.ts'
import { generatedHeader } from '../../../src/codegen/declarations.ts'
import { compareOutput, type Output } from '../../../src/output/generated-files.ts'
import { apply } from '../../helpers/generated.ts'
import { rejection } from '../../helpers/service-client.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const HEADER = generatedHeader('pull', 'prompts')

async function fileWith(text: string): Promise<{ root: string; path: string }> {
  const root = await temporaryFolder()
  const path = join(root, 'file')
  await writeFile(path, text)
  return { root, path }
}

function outputOf(root: string, ...files: Output['files']): Output {
  return { kind: 'files', path: root, root, files, unneeded: [] }
}

const FOREIGN: readonly (readonly [title: string, text: string])[] = [
  ['code', 'export const precious = 1\n'],
  ['code that names the mark', `const text = '${GENERATED_BY}'\n// ${GENERATED_BY}\n`],
  ['JSON', '{ "name": "app" }\n'],
  ['JSON that names the mark in a nested value', `{ "a": { "//": "${GENERATED_BY}." } }\n`],
  ['a comment of someone else', '// Made by hand\n'],
  ['an open comment', `/* ${GENERATED_BY}`],
]

function conflicted(text: string): string {
  return `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> main\n`
}

describe('a generated file', () => {
  test.each(FOREIGN)('never replaces %s', async (_, text) => {
    const { root, path } = await fileWith(text)
    const files = [join(root, 'other'), path].map((each) => ({ path: each, text: HEADER }))
    const error = { code: 'FILE_FOREIGN', details: { path } }
    expect(await rejection(apply(outputOf(root, ...files)))).toMatchObject(error)
    expect(await readFile(path, 'utf8')).toBe(text)
    // Nor is anything else written.
    expect(await readdir(root)).toEqual(['file'])
  })

  test.each([
    ['an empty file', '\n'],
    ['an older one', `${HEADER}old\n`],
    ['one with a byte order mark and CRLF', `\ufeff${HEADER.replaceAll('\n', '\r\n')}old\r\n`],
    ['one below a long banner', `/*\n${' * Licence\n'.repeat(500)} */\n\n// @ts-check\n${HEADER}`],
    ['one with a conflict in its header', `<<<<<<< ours\n${HEADER}=======\n>>>>>>> theirs\nx\n`],
    ['generated JSON, also when reformatted', `{ "x_comment": "${GENERATED_BY}.", "version":3}`],
    ['a map that a merge left in conflict', conflicted(`{"x_comment":"${GENERATED_BY}."}\n`)],
  ])('replaces %s', async (_, text) => {
    const { root, path } = await fileWith(text)
    const next = `${HEADER}new\n`
    const files = await apply(outputOf(root, { path, text: next }))
    expect(files).toMatchObject([{ path, state: 'written' }])
    expect(await readFile(path, 'utf8')).toBe(next)
  })

  test("that can't be read is not replaced", async () => {
    const { root } = await fileWith('')
    await mkdir(join(root, 'folder'))
    const files = [{ path: join(root, 'folder'), text: HEADER }]
    expect(await rejection(apply(outputOf(root, ...files)))).toMatchObject({
      code: 'FILE_UNREADABLE',
    })
  })

  test('is current if it is equal except for line ends', async () => {
    const { path, root } = await fileWith('a\r\nb\r\n')
    const other = join(root, 'other')
    await writeFile(other, 'a\n')
    const texts = { [path]: 'a\nb\n', [other]: 'a\nb\n', [join(root, 'missing')]: '' }
    const files = Object.entries(texts).map(([file, text]) => ({ path: file, text }))
    const reports = await compareOutput(outputOf(root, ...files))
    expect(reports.map(({ state }) => state)).toEqual(['current', 'stale', 'missing'])
  })
})
