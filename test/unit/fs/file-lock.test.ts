import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { withFileLock } from '../../../src/fs/file-lock.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

interface Claim {
  readonly path: string
  readonly lockfile: string
  readonly waitTimeout: number
}

async function claim({ waitTimeout = 5_000 } = {}): Promise<Claim> {
  const folder = await temporaryFolder()
  const name = 'prompts.lock.json'
  return { path: join(folder, name), lockfile: join(folder, `.${name}.pulling`), waitTimeout }
}

const FOREIGN = `${process.ppid}-0`

/** The mark of another process, or what is left of one. */
async function mark(path: string, content: 'holder' | 'nothing'): Promise<void> {
  await mkdir(content === 'holder' ? join(path, FOREIGN) : path, { recursive: true })
}

test('work on one lock runs one after the other, however many start at once', async () => {
  const asked = await claim()
  let running = 0
  let most = 0
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running)
    // Work that ends at once would never meet the next one.
    await delay(5)
    running--
  }
  await Promise.all(Array.from({ length: 5 }, () => withFileLock(asked, work)))
  expect(most).toBe(1)
})

test('work on a lock returns its result, and leaves no mark, also when it fails', async () => {
  const asked = await claim()
  const [holder] = await withFileLock(asked, async () => readdir(asked.lockfile))
  expect(holder).toMatch(new RegExp(`^${process.pid}-`))
  expect(await readdir(dirname(asked.path))).toEqual([])
  const work = withFileLock(asked, () => Promise.reject(new Error('no')))
  await expect(work).rejects.toThrow('no')
  expect(await readdir(dirname(asked.path))).toEqual([])
})

test.each([
  ['that is ten seconds old is taken over', 'holder', -11_000],
  ['from the future is taken over', 'holder', 3_600_000],
  ['without a holder, as of a process that was killed, is taken over at once', 'nothing', 0],
] as const)('a mark %s', async (_, content, milliseconds) => {
  const asked = await claim({ waitTimeout: 1_000 })
  await mark(asked.lockfile, content)
  await age(asked.lockfile, milliseconds)
  expect(await withFileLock(asked, async () => 'done')).toBe('done')
  expect(await readdir(dirname(asked.path))).toEqual([])
})

test('whoever was stopped for longer sees that another process has the mark, and leaves it', async () => {
  const asked = await claim()
  let other: Promise<string[]> | undefined
  let release: (() => void) | undefined
  const seen = await withFileLock(asked, async (isHeld) => {
    const before = isHeld()
    await age(asked.lockfile, -11_000)
    await new Promise<void>((taken) => {
      other = withFileLock(asked, async () => {
        taken()
        await new Promise<void>((released) => (release = released))
        return readdir(asked.lockfile)
      })
    })
    return [before, isHeld()]
  })
  expect(seen).toEqual([true, false])
  release?.()
  expect(await other).toHaveLength(1)
  expect(await readdir(dirname(asked.path))).toEqual([])
})

test('on Windows, a mark is placed when a scanner has released its new folder', async () => {
  const { platform } = process
  let refusals = 2
  onTestFinished(() => {
    Object.defineProperty(process, 'platform', { value: platform })
    vi.doUnmock('node:fs/promises')
    vi.resetModules()
  })
  Object.defineProperty(process, 'platform', { value: 'win32' })
  vi.resetModules()
  vi.doMock('node:fs/promises', async (original) => {
    const disk = await original<typeof import('node:fs/promises')>()
    const rename: typeof disk.rename = async (...paths) => {
      if (refusals-- > 0) throw Object.assign(new Error('busy'), { code: 'EPERM' })
      return disk.rename(...paths)
    }
    return { ...disk, rename }
  })
  const windows = await import('../../../src/fs/file-lock.ts')
  expect(await windows.withFileLock(await claim(), async () => 'done')).toBe('done')
  expect(refusals).toBe(-1)
})

test('a mark that its owner cannot remove is an error with its path', async () => {
  const asked = await claim()
  const work = withFileLock(asked, async () => {
    await rm(asked.lockfile, { recursive: true })
    await writeFile(asked.lockfile, 'not a mark')
  })
  const unwritable = { code: 'FILE_UNWRITABLE', details: { path: asked.lockfile } }
  await expect(work).rejects.toMatchObject(unwritable)
  expect(await readFile(asked.lockfile, 'utf8')).toBe('not a mark')
})

test.each([
  ['another process', mark, String(process.ppid)],
  ['a file in its place', writeFile, 'unknown'],
] as const)(
  'work on a lock is LOCK_BUSY after the time limit because of %s, which stays',
  async (_, occupy, pid) => {
    const asked = await claim({ waitTimeout: 100 })
    await occupy(asked.lockfile, 'holder')
    await expect(withFileLock(asked, async () => 'done')).rejects.toMatchObject({
      code: 'LOCK_BUSY',
      message: expect.stringContaining(asked.lockfile),
      details: { path: asked.path, pid },
    })
    expect(await readdir(dirname(asked.path))).toHaveLength(1)
  },
)

test.each([
  ['at once', 0],
  ['after the first look at the mark', 20],
])('work that waits for a lock rejects with the reason of an abort %s', async (_, wait) => {
  const asked = await claim()
  await mark(asked.lockfile, 'holder')
  const aborter = new AbortController()
  const reason = new Error('interrupted')
  const work = withFileLock({ ...asked, signal: aborter.signal }, async () => 'done')
  setTimeout(() => aborter.abort(reason), wait)
  await expect(work).rejects.toBe(reason)
})

/** Sets the time of a file, relative to now. */
async function age(path: string, milliseconds: number): Promise<void> {
  const time = new Date(Date.now() + milliseconds)
  await utimes(path, time, time)
}
