import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('work on a lock returns its result, and leaves no lockfile, also when it fails', async () => {
  const asked = await claim()
  const text = await withFileLock(asked, async () => readFileSync(asked.lockfile, 'utf8'))
  expect(text).toBe(String(process.pid))
  expect(existsSync(asked.lockfile)).toBe(false)
  const work = withFileLock(asked, () => Promise.reject(new Error('no')))
  await expect(work).rejects.toThrow('no')
  expect(existsSync(asked.lockfile)).toBe(false)
})

test.each([
  ['ten seconds old', -60_000],
  ['from the future', 3_600_000],
])('a lockfile that is %s is replaced, whatever is in it', async (_, milliseconds) => {
  const asked = await claim()
  writeFileSync(asked.lockfile, String(process.ppid))
  age(asked.lockfile, milliseconds)
  expect(await withFileLock(asked, async () => 'done')).toBe('done')
  expect(existsSync(asked.lockfile)).toBe(false)
})

test('the lockfile of a process that died is replaced after a wait', async () => {
  const { path, lockfile } = await claim()
  writeFileSync(lockfile, '')
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const work = withFileLock({ path }, async () => 'done')
  await delay(60)
  vi.setSystemTime(Date.now() + 10_001)
  expect(await work).toBe('done')
})

test('a lockfile that is a folder, or becomes one, is an error with its path', async () => {
  const asked = await claim({ waitTimeout: 100 })
  const unwritable = { code: 'FILE_UNWRITABLE', details: { path: asked.lockfile } }
  const work = withFileLock(asked, async () => {
    rmSync(asked.lockfile)
    mkdirSync(asked.lockfile)
  })
  await expect(work).rejects.toMatchObject(unwritable)
  const busy = { code: 'LOCK_BUSY', details: { pid: 'unknown' } }
  await expect(withFileLock(asked, async () => 'done')).rejects.toMatchObject(busy)
  age(asked.lockfile, -60_000)
  await expect(withFileLock(asked, async () => 'done')).rejects.toMatchObject(unwritable)
})

test('work on a lock is LOCK_BUSY with the id of the other process after the time limit', async () => {
  const asked = await claim({ waitTimeout: 100 })
  writeFileSync(asked.lockfile, String(process.ppid))
  await expect(withFileLock(asked, async () => 'done')).rejects.toMatchObject({
    code: 'LOCK_BUSY',
    message: expect.stringContaining(asked.lockfile),
    details: { path: asked.path, pid: String(process.ppid) },
  })
  expect(readFileSync(asked.lockfile, 'utf8')).toBe(String(process.ppid))
})

test.each([
  ['at once', 0],
  ['after the first look at the lockfile', 20],
])('work that waits for a lock rejects with the reason of an abort %s', async (_, wait) => {
  const asked = await claim()
  writeFileSync(asked.lockfile, String(process.ppid))
  const aborter = new AbortController()
  const reason = new Error('interrupted')
  const work = withFileLock({ ...asked, signal: aborter.signal }, async () => 'done')
  setTimeout(() => aborter.abort(reason), wait)
  await expect(work).rejects.toBe(reason)
})

/** Sets the time of a file, relative to now. */
function age(path: string, milliseconds: number): void {
  const time = new Date(Date.now() + milliseconds)
  utimesSync(path, time, time)
}
