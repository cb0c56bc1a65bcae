import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeEdits } from '../../../src/fs/edit-files.ts'
import { createRollback } from '../../../src/fs/rollback.ts'
import { filesIn, folderWith } from '../../helpers/cli.ts'
import { rejection } from '../../helpers/service-client.ts'

test('a rollback restores changed and deleted files byte for byte, and removes new ones', async () => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x0d, 0x0a])
  const root = await folderWith({ changed: bytes, deleted: 'old', same: 'same' })
  const rollback = createRollback(root)
  await rollback.keep(['changed', 'deleted', 'new', 'same'].map((name) => join(root, name)))
  await writeFile(join(root, 'changed'), 'x')
  await writeFile(join(root, 'new'), 'x')
  await rm(join(root, 'deleted'))
  await rollback.restore()
  expect(await readFile(join(root, 'changed'))).toEqual(bytes)
  expect(Object.keys(await filesIn(root))).toEqual(['changed', 'deleted', 'same'])
})

test('a rollback remembers the first content of a file', async () => {
  const root = await folderWith({ a: 'first' })
  const rollback = createRollback(root)
  await rollback.keep([join(root, 'a')])
  await writeFile(join(root, 'a'), 'second')
  await rollback.keep([join(root, 'a')])
  await rollback.restore()
  expect(await filesIn(root)).toEqual({ a: 'first' })
})

test('a rollback restores every file that it can, and names the others', async () => {
  const root = await folderWith({ a: 'old', b: 'old' })
  const rollback = createRollback(root)
  const paths = ['a', 'b'].map((name) => join(root, name))
  await rollback.keep(paths)
  await rm(join(root, 'a'))
  await mkdir(join(root, 'a'))
  await writeFile(join(root, 'b'), 'new')
  expect(await rejection(rollback.restore())).toMatchObject({
    code: 'FILES_NOT_RESTORED',
    details: { paths: [join(root, 'a')] },
  })
  expect(await readFile(join(root, 'b'), 'utf8')).toBe('old')
})

test('edits keep a byte order mark and line ends', async () => {
  const root = await folderWith({ a: '\ufeffold\r\n' })
  await writeEdits(
    [{ path: join(root, 'a'), before: '\ufeffold\r\n', after: '\ufeffnew\r\n' }],
    root,
  )
  expect(await readFile(join(root, 'a'))).toEqual(Buffer.from('\ufeffnew\r\n'))
})

test('no edit is written if one of the files has changed since', async () => {
  const root = await folderWith({ a: 'old', b: 'changed' })
  const edits = ['a', 'b'].map((name) => ({ path: join(root, name), before: 'old', after: 'new' }))
  expect(await rejection(writeEdits(edits, root))).toMatchObject({ code: 'FILE_UNWRITABLE' })
  expect(await filesIn(root)).toEqual({ a: 'old', b: 'changed' })
})
