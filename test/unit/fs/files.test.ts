import { once } from 'node:events'
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readText } from '../../../src/fs/files.ts'
import { createFolderOf, writeText } from '../../../src/fs/write-file.ts'
import { rejection } from '../../helpers/service-client.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** A folder with a file in it. */
async function folderWith(text: string): Promise<{ root: string; path: string }> {
  const root = await temporaryFolder({ 'prompts.lock.json': text })
  return { root, path: join(root, 'prompts.lock.json') }
}

describe('reading a file', () => {
  test('returns its text without a byte order mark, or undefined if there is no file', async () => {
    const { root, path } = await folderWith('\ufeffgröße\r\n')
    expect(await readText(path)).toBe('größe\r\n')
    expect(await readText(join(root, 'none'))).toBeUndefined()
    expect(await readText(join(root, 'none', 'none'))).toBeUndefined()
    expect(await readText(join(path, 'below a file'))).toBeUndefined()
  })

  test('fails with the path if that is a folder', async () => {
    const { root } = await folderWith('')
    const error = { code: 'FILE_UNREADABLE', details: { path: root } }
    expect(await rejection(readText(root))).toMatchObject(error)
  })
})

describe('writing a file', () => {
  test('creates it, and leaves nothing else in the folder', async () => {
    const root = await temporaryFolder()
    expect(await writeText(join(root, 'a'), 'größe\n', root)).toBe('written')
    expect(await readFile(join(root, 'a'), 'utf8')).toBe('größe\n')
    expect(await readdir(root)).toEqual(['a'])
  })

  test.each([
    ['the same text', 'a\nb\n', 'a\nb\n'],
    ['a CRLF checkout of it', 'a\r\nb\r\n', 'a\nb\n'],
    ['the empty text', '', ''],
  ])('touches nothing where it holds %s', async (_, before, text) => {
    const { root, path } = await folderWith(before)
    await utimes(path, 1, 1)
    const { ino } = await stat(path)
    expect(await writeText(path, text, root)).toBe('unchanged')
    expect(await stat(path)).toMatchObject({ ino, mtimeMs: 1000 })
    expect(await readFile(path, 'utf8')).toBe(before)
  })

  test.each([
    ['a longer text', 'old, and longer', 'new'],
    ['one line end less', 'a\n', 'a\n\n'],
    ['lone carriage returns', 'a\rb', 'a\nb'],
  ])('replaces it where it holds %s', async (_, before, text) => {
    const { root, path } = await folderWith(before)
    expect(await writeText(path, text, root)).toBe('written')
    expect(await readFile(path, 'utf8')).toBe(text)
    expect(await readdir(root)).toEqual(['prompts.lock.json'])
  })

  test.each(['600', '644', '664', '666', '755'])('keeps the permissions %s', async (mode) => {
    const { root, path } = await folderWith('old')
    await chmod(path, mode)
    await writeText(path, 'new', root)
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe(mode)
  })

  test('needs no method that the files of Yarn’s Plug’n’Play do not have', async () => {
    const { root, path } = await folderWith('old')
    const file = await open(path)
    const methods = Object.getPrototypeOf(file) as Record<(typeof missing)[number], () => void>
    await file.close()
    const missing = ['sync', 'datasync', 'utimes', 'readv'] as const
    for (const method of missing) {
      const spy = vi.spyOn(methods, method).mockImplementation(() => {
        throw new Error('Method not implemented.')
      })
      onTestFinished(() => spy.mockRestore())
    }
    expect(await writeText(path, 'new', root)).toBe('written')
    expect(await readText(path)).toBe('new')
  })

  test('leaves one complete text if one process writes many at once', async () => {
    const { root, path } = await folderWith('old')
    const texts = Array.from({ length: 20 }, (_, index) => `${index}\n`.repeat(1000))
    await Promise.all(texts.map((text) => writeText(path, text, root)))
    expect(texts).toContain(await readFile(path, 'utf8'))
    expect(await readdir(root)).toEqual(['prompts.lock.json'])
  })

  const NO_FOLDER = 'its folder does not exist'
  const OUT_OF_PROJECT = 'its folder is a link out of the project'

  test.each([
    ['a folder', 'folder', 'it is a folder'],
    ['in a folder that does not exist', 'none/a', NO_FOLDER],
    ['a link out of the project', 'out', 'it is a link out of the project'],
    ['a broken link', 'broken', 'it is a broken link'],
    ['a link to itself', 'itself', 'it is a broken link'],
    ['a link to a folder', 'to-folder', 'it is a folder'],
    ['there by a linked folder', 'out-folder/prompts.lock.json', OUT_OF_PROJECT],
    ['new by a linked folder', 'out-folder/new', OUT_OF_PROJECT],
    ['deep below a linked folder', 'out-folder/deep/new', OUT_OF_PROJECT],
  ])('fails if it is %s, and changes nothing outside', async (_, name, reason) => {
    const root = await temporaryFolder({ 'folder/a': '' })
    const outside = await folderWith('outside')
    const links = { out: outside.path, broken: 'nowhere', itself: 'itself', 'to-folder': 'folder' }
    for (const [link, target] of Object.entries({ ...links, 'out-folder': outside.root }))
      await symlink(target, join(root, link))
    const path = join(root, name)
    const error = { code: 'FILE_UNWRITABLE', details: { path, reason } }
    expect(await rejection(writeText(path, 'x', root))).toMatchObject(error)
    if (reason === OUT_OF_PROJECT)
      expect(await rejection(createFolderOf(path, root))).toMatchObject(error)
    expect(await readdir(outside.root)).toEqual(['prompts.lock.json'])
    expect(await readFile(outside.path, 'utf8')).toBe('outside')
    expect(await readdir(root)).toHaveLength(6)
  })

  test('fails if the project does not exist', async () => {
    const root = join(await temporaryFolder(), 'missing')
    const error = { code: 'FILE_UNWRITABLE', details: { reason: NO_FOLDER } }
    expect(await rejection(writeText(join(root, 'a'), 'x', root))).toMatchObject(error)
  })

  test('fails if it is a socket', async () => {
    const root = await temporaryFolder()
    const server = createServer().listen(join(root, 'a'))
    await once(server, 'listening')
    const error = { code: 'FILE_UNWRITABLE', details: { reason: 'it is not a regular file' } }
    expect(await rejection(writeText(join(root, 'a'), 'x', root))).toMatchObject(error)
    server.close()
  })
})

describe('writing by a link', () => {
  test.each(['locks/real.json', './locks/real.json', 'locks/../..real.json', 'locks/link.json'])(
    'to %s in the project leaves the link, and writes its target',
    async (target) => {
      const real = target.replace('link', 'real')
      const root = await temporaryFolder({ 'locks/a': '', [real]: 'old' })
      if (target !== real) await symlink('real.json', join(root, target))
      await symlink(target, join(root, 'a'))
      expect(await writeText(join(root, 'a'), 'new', root)).toBe('written')
      expect(await readlink(join(root, 'a'))).toBe(target)
      expect((await lstat(join(root, target))).isSymbolicLink()).toBe(target !== real)
      expect(await readFile(join(root, real), 'utf8')).toBe('new')
      expect(await writeText(join(root, 'a'), 'new', root)).toBe('unchanged')
    },
  )

  test('to the project, or to a folder in it, is allowed', async () => {
    const { root, path } = await folderWith('old')
    const alias = join(await temporaryFolder(), 'alias')
    await symlink(root, alias)
    await symlink(path, join(root, 'a'))
    expect(await writeText(join(alias, 'a'), 'new', alias)).toBe('written')
    await mkdir(join(root, 'real'))
    await symlink('real', join(root, 'link'))
    await createFolderOf(join(root, 'link', 'new', 'a'), root)
    await writeText(join(root, 'link', 'new', 'a'), 'x', root)
    expect(await readFile(join(root, 'real', 'new', 'a'), 'utf8')).toBe('x')
  })

  test('is not needed for an explicit path out of the project', async () => {
    const root = await temporaryFolder({ 'app/a': '' })
    await createFolderOf(join(root, 'locks', 'a'), join(root, 'app'))
    const path = join(root, 'app', '..', 'locks', 'a')
    expect(await writeText(path, 'x', join(root, 'app'))).toBe('written')
  })
})

/** The name of a temporary file that a process has made. */
function temporaryOf(pid: number, file = 'prompts.lock.json'): string {
  return `.${file}.prompts-${pid}-7c9e6679-7425-40de-944b-e07fc1f90ae7.tmp`
}

const { pid, ppid } = process

test.each([
  ['removes', 'ten seconds old', temporaryOf(99_999_999), {}],
  ['removes', 'ten seconds old, if nothing is written', temporaryOf(99_999_999), { text: 'old' }],
  ['removes', 'ten seconds old, of another file', temporaryOf(ppid, 'prompts.d.ts.map'), {}],
  ['removes', 'from the future', temporaryOf(pid), { age: -60 }],
  ['keeps', 'just written, though no process here has its id', temporaryOf(99_999_999), { age: 0 }],
  ['keeps', 'of another program', `.prompts.lock.json.tmp-${ppid}`, {}],
  ['keeps', 'that is not hidden', temporaryOf(ppid).slice(1), {}],
] as const)('a write %s a temporary file %s', async (verb, _, name, given) => {
  const { age, text } = { age: 11, text: 'new', ...given }
  const { root, path } = await folderWith('old')
  const temporary = join(root, name)
  await writeFile(temporary, 'half')
  const time = Date.now() / 1000 - age
  await utimes(temporary, time, time)
  await writeText(path, text, root)
  expect(await readdir(root)).toHaveLength(verb === 'keeps' ? 2 : 1)
})
