import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeEdits, writeTogether } from '../../../src/fs/write-together.ts'
import { filesIn, folderWith } from '../../helpers/cli.ts'
import { rejection } from '../../helpers/service-client.ts'

/** Writes files of a folder in a function that then fails. */
function failing(
  root: string,
  names: readonly string[],
  write: () => Promise<unknown>,
): Promise<unknown> {
  const paths = names.map((name) => join(root, name))
  return writeTogether(paths, { root, temporaries: root }, async () => {
    await write()
    throw new Error('failed')
  }).catch((error: unknown) => error)
}

test('files that are written together are restored byte for byte if the work fails', async () => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x0d, 0x0a])
  const root = await folderWith({ changed: bytes, 'folder/deleted': 'old', same: 'same' })
  const error = await failing(root, ['changed', 'folder/deleted', 'new', 'same'], async () => {
    await writeFile(join(root, 'changed'), 'x')
    await writeFile(join(root, 'new'), 'x')
    await rm(join(root, 'folder'), { recursive: true })
  })
  expect(error).toMatchObject({ message: 'failed' })
  expect(await readFile(join(root, 'changed'))).toEqual(bytes)
  expect(Object.keys(await filesIn(root))).toEqual(['changed', 'folder/deleted', 'same'])
})

test('every file that can be restored is, and the others are named', async () => {
  const root = await folderWith({ a: 'old', b: 'old' })
  const error = await failing(root, ['a', 'b'], async () => {
    await rm(join(root, 'a'))
    await mkdir(join(root, 'a'))
    await writeFile(join(root, 'b'), 'new')
  })
  expect(error).toMatchObject({
    code: 'FILES_NOT_RESTORED',
    details: { paths: [join(root, 'a')] },
  })
  expect(await readFile(join(root, 'b'), 'utf8')).toBe('old')
})

test('edits keep a byte order mark and line ends', async () => {
  const root = await folderWith({ a: '\ufeffold\r\n' })
  const edit = { path: join(root, 'a'), before: '\ufeffold\r\n', after: '\ufeffnew\r\n' }
  await writeEdits([edit], { root, temporaries: root })
  expect(await readFile(join(root, 'a'))).toEqual(Buffer.from('\ufeffnew\r\n'))
})

test('no edit is written if one of the files has changed since', async () => {
  const root = await folderWith({ a: 'old', b: 'changed' })
  const edits = ['a', 'b'].map((name) => ({ path: join(root, name), before: 'old', after: 'new' }))
  const error = await rejection(writeEdits(edits, { root, temporaries: root }))
  expect(error).toMatchObject({ code: 'FILE_UNWRITABLE' })
  expect(await filesIn(root)).toEqual({ a: 'old', b: 'changed' })
})
