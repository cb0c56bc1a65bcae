import { spawn } from 'node:child_process'
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
import { createFolderOf, readText, writeText } from '../../../src/fs/files.ts'
import { rejection } from '../../helpers/service-client.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** A folder with a file in it. */
async function folderWith(text: string): Promise<{ root: string; path: string }> {
  const root = await temporaryFolder()
  const path = join(root, 'prompts.lock.json')
  await writeFile(path, text)
  return { root, path }
}

describe('reading', () => {
  test('returns the text, or undefined if there is no file', async () => {
    const { root, path } = await folderWith('größe\r\n')
    expect(await readText(path)).toBe('größe\r\n')
    expect(await readText(join(root, 'none'))).toBeUndefined()
    expect(await readText(join(root, 'none', 'none'))).toBeUndefined()
  })

  test('removes a byte order mark', async () => {
    const { path } = await folderWith('\ufeffgröße')
    expect(await readText(path)).toBe('größe')
  })

  test('a folder, or below a file, is an error that names the path', async () => {
    const { root, path } = await folderWith('')
    for (const wrong of [root, join(path, 'x')]) {
      expect(await rejection(readText(wrong))).toMatchObject({
        code: 'FILE_UNREADABLE',
        details: { path: wrong },
      })
    }
  })
})

describe('writing', () => {
  test('makes a file, and leaves nothing else in the folder', async () => {
    const root = await temporaryFolder()
    expect(await writeText(join(root, 'a'), 'größe\n', root)).toBe('written')
    expect(await readFile(join(root, 'a'), 'utf8')).toBe('größe\n')
    expect(await readdir(root)).toEqual(['a'])
  })

  test('replaces a file', async () => {
    const { root, path } = await folderWith('old, and longer')
    expect(await writeText(path, 'new', root)).toBe('written')
    expect(await readFile(path, 'utf8')).toBe('new')
    expect(await readdir(root)).toEqual(['prompts.lock.json'])
  })

  test.each([
    ['the same text', 'a\nb\n', 'a\nb\n'],
    ['a CRLF checkout of it', 'a\r\nb\r\n', 'a\nb\n'],
    ['the empty text', '', ''],
  ])('touches nothing where the file holds %s', async (_, before, text) => {
    const { root, path } = await folderWith(before)
    await utimes(path, 1, 1)
    const { ino } = await stat(path)
    expect(await writeText(path, text, root)).toBe('unchanged')
    expect(await stat(path)).toMatchObject({ ino, mtimeMs: 1000 })
    expect(await readFile(path, 'utf8')).toBe(before)
  })

  test.each([
    ['one line end more', 'a\n', 'a\n\n'],
    ['none', 'a', 'a\n'],
    ['lone carriage returns', 'a\rb', 'a\nb'],
  ])('writes where the file holds %s', async (_, before, text) => {
    const { root, path } = await folderWith(before)
    expect(await writeText(path, text, root)).toBe('written')
    expect(await readFile(path, 'utf8')).toBe(text)
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

  test('concurrent writes in one process leave one complete text', async () => {
    const { root, path } = await folderWith('old')
    const texts = Array.from({ length: 20 }, (_, index) => `${index}\n`.repeat(1000))
    await Promise.all(texts.map((text) => writeText(path, text, root)))
    expect(texts).toContain(await readFile(path, 'utf8'))
    expect(await readdir(root)).toEqual(['prompts.lock.json'])
  })
})

describe('a target that is not a file', () => {
  test('is an error if it is a folder', async () => {
    const root = await temporaryFolder()
    await mkdir(join(root, 'a'))
    expect(await rejection(writeText(join(root, 'a'), 'x', root))).toMatchObject({
      code: 'FILE_UNWRITABLE',
      details: { path: join(root, 'a'), reason: 'it is a folder' },
    })
  })

  test('is an error if its folder does not exist', async () => {
    const root = await temporaryFolder()
    expect(await rejection(writeText(join(root, 'a', 'b'), 'x', root))).toMatchObject({
      code: 'FILE_UNWRITABLE',
      details: { reason: 'its folder does not exist' },
    })
  })

  test('is an error if the project does not exist', async () => {
    const root = join(await temporaryFolder(), 'missing')
    expect(await rejection(writeText(join(root, 'a'), 'x', root))).toMatchObject({
      code: 'FILE_UNWRITABLE',
      details: { reason: 'its folder does not exist' },
    })
  })

  test('is an error if it is a socket', async () => {
    const root = await temporaryFolder()
    const server = createServer().listen(join(root, 'a'))
    await once(server, 'listening')
    expect(await rejection(writeText(join(root, 'a'), 'x', root))).toMatchObject({
      code: 'FILE_UNWRITABLE',
      details: { reason: 'it is not a regular file' },
    })
    server.close()
  })
})

describe('a link', () => {
  test.each(['locks/real.json', './locks/real.json', 'locks/../..real.json'])(
    'to %s in the project stays a link, and its target is written',
    async (target) => {
      const root = await temporaryFolder()
      await mkdir(join(root, 'locks'))
      await writeFile(join(root, target), 'old')
      await symlink(target, join(root, 'a'))
      expect(await writeText(join(root, 'a'), 'new', root)).toBe('written')
      expect(await readlink(join(root, 'a'))).toBe(target)
      expect(await readFile(join(root, target), 'utf8')).toBe('new')
      expect(await writeText(join(root, 'a'), 'new', root)).toBe('unchanged')
    },
  )

  test('to a link in the project is followed too', async () => {
    const { root, path } = await folderWith('old')
    await symlink(path, join(root, 'one'))
    await symlink('one', join(root, 'two'))
    await writeText(join(root, 'two'), 'new', root)
    expect(await readFile(path, 'utf8')).toBe('new')
    expect((await lstat(join(root, 'two'))).isSymbolicLink()).toBe(true)
  })

  test('in a project that is itself reached by a link is followed', async () => {
    const { root, path } = await folderWith('old')
    const alias = join(await temporaryFolder(), 'alias')
    await symlink(root, alias)
    await symlink(path, join(root, 'a'))
    expect(await writeText(join(alias, 'a'), 'new', alias)).toBe('written')
  })

  const refused = async (target: string): Promise<string> => {
    const root = await temporaryFolder()
    await mkdir(join(root, 'folder'))
    await symlink(target, join(root, 'a'))
    const error = await rejection(writeText(join(root, 'a'), 'x', root))
    expect(error).toMatchObject({ code: 'FILE_UNWRITABLE' })
    expect((await lstat(join(root, 'a'))).isSymbolicLink()).toBe(true)
    return (error.details as { reason: string }).reason
  }

  test('out of the project is an error, and its target is unchanged', async () => {
    const outside = await folderWith('outside')
    expect(await refused(outside.path)).toBe('it is a link out of the project')
    expect(await readFile(outside.path, 'utf8')).toBe('outside')
  })

  test('that is broken is an error', async () => {
    expect(await refused('nowhere')).toBe('it is a broken link')
  })

  test('to itself is an error', async () => {
    expect(await refused('a')).toBe('it is a broken link')
  })

  test('of a folder out of the project is an error, and nothing is created there', async () => {
    const root = await temporaryFolder()
    const outside = await folderWith('outside')
    await symlink(outside.root, join(root, 'link'))
    for (const name of ['prompts.lock.json', 'new', 'deep/new']) {
      expect(await rejection(writeText(join(root, 'link', name), 'x', root))).toMatchObject({
        code: 'FILE_UNWRITABLE',
        details: { reason: 'its folder is a link out of the project' },
      })
    }
    expect(await rejection(createFolderOf(join(root, 'link', 'new', 'a'), root))).toMatchObject({
      code: 'FILE_UNWRITABLE',
      details: { reason: 'its folder is a link out of the project' },
    })
    expect(await readdir(outside.root)).toEqual(['prompts.lock.json'])
    expect(await readFile(outside.path, 'utf8')).toBe('outside')
  })

  test('of a folder in the project is followed', async () => {
    const root = await temporaryFolder()
    await mkdir(join(root, 'real'))
    await symlink('real', join(root, 'link'))
    await createFolderOf(join(root, 'link', 'new', 'a'), root)
    await writeText(join(root, 'link', 'new', 'a'), 'x', root)
    expect(await readFile(join(root, 'real', 'new', 'a'), 'utf8')).toBe('x')
  })

  test('does not matter for an explicit path out of the project', async () => {
    const root = await temporaryFolder()
    await mkdir(join(root, 'app'))
    await createFolderOf(join(root, 'locks', 'a'), join(root, 'app'))
    const path = join(root, 'app', '..', 'locks', 'a')
    expect(await writeText(path, 'x', join(root, 'app'))).toBe('written')
  })

  test('to a folder is an error', async () => {
    expect(await refused('folder')).toBe('it is a folder')
  })
})

describe('temporary files', () => {
  /** The number of a process that has ended. */
  const deadPid = async (): Promise<number> => {
    const child = spawn(process.execPath, ['--version'])
    await once(child, 'close')
    return child.pid ?? 0
  }

  /** The name of a temporary file that a process has made. */
  const temporaryOf = (pid: number, file = 'prompts.lock.json'): string =>
    `.${file}.prompts-${pid}-7c9e6679-7425-40de-944b-e07fc1f90ae7.tmp`

  /** Writes a file next to one with this name, and returns whether that still exists. */
  const survives = async (name: string, { age = 0, text = 'new' } = {}): Promise<boolean> => {
    const { root, path } = await folderWith('old')
    const temporary = join(root, name)
    await writeFile(temporary, 'half')
    const time = Date.now() / 1000 - age
    await utimes(temporary, time, time)
    await writeText(path, text, root)
    return (await readdir(root)).length === 2
  }

  test('of a dead process are swept by the next write', async () => {
    expect(await survives(temporaryOf(await deadPid()))).toBe(false)
  })

  test('are removed even if nothing is written', async () => {
    expect(await survives(temporaryOf(await deadPid()), { text: 'old' })).toBe(false)
  })

  test('are removed for any target file', async () => {
    expect(await survives(temporaryOf(await deadPid(), 'prompts.d.ts.map'))).toBe(false)
  })

  test('of a living process are kept: it is writing', async () => {
    expect(await survives(temporaryOf(process.ppid))).toBe(true)
    expect(await survives(temporaryOf(1))).toBe(true)
  })

  test('of this process are kept, but not those of an earlier one with its number', async () => {
    expect(await survives(temporaryOf(process.pid))).toBe(true)
    expect(await survives(temporaryOf(process.pid), { age: 1e6 })).toBe(false)
  })

  test('of other programs are kept', async () => {
    const pid = await deadPid()
    expect(await survives(`.prompts.lock.json.tmp-${pid}`)).toBe(true)
    expect(await survives(temporaryOf(pid).slice(1))).toBe(true)
  })
})
