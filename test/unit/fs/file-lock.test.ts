import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
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

/** Sets the time of a file to a minute ago. */
function age(path: string): void {
  const past = new Date(Date.now() - 60_000)
  utimesSync(path, past, past)
}

/** Runs five works that start together, and returns how many ran at once. */
async function mostAtOnce(asked: Claim): Promise<number> {
  let running = 0
  let most = 0
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running)
    // Work that ends at once would never meet the next one.
    await delay(5)
    running--
  }
  await Promise.all(Array.from({ length: 5 }, () => withFileLock(asked, work)))
  return most
}

describe('work on one lock', () => {
  test('fails with the path of a lockfile that cannot be removed', async () => {
    const asked = await claim()
    const work = withFileLock(asked, async () => {
      rmSync(asked.lockfile)
      mkdirSync(asked.lockfile)
    })
    const details = { path: asked.lockfile }
    await expect(work).rejects.toMatchObject({ code: 'FILE_UNWRITABLE', details })
  })

  test('runs one after the other, however many start at once', async () => {
    expect(await mostAtOnce(await claim())).toBe(1)
  })

  test('returns what the work returns, and leaves no lockfile', async () => {
    const asked = await claim()
    const text = await withFileLock(asked, async () => readFileSync(asked.lockfile, 'utf8'))
    expect(text).toBe(String(process.pid))
    expect(existsSync(asked.lockfile)).toBe(false)
  })

  test('leaves no lockfile when the work fails', async () => {
    const asked = await claim()
    const work = withFileLock(asked, () => Promise.reject(new Error('no')))
    await expect(work).rejects.toThrow('no')
    expect(existsSync(asked.lockfile)).toBe(false)
  })

  test.each([
    ['ten seconds old', -60_000],
    ['from the future', 3_600_000],
  ])('takes over a lockfile that is %s, whatever is in it', async (_, milliseconds) => {
    const asked = await claim()
    writeFileSync(asked.lockfile, String(process.ppid))
    const time = new Date(Date.now() + milliseconds)
    utimesSync(asked.lockfile, time, time)
    expect(await withFileLock(asked, async () => 'done')).toBe('done')
    expect(existsSync(asked.lockfile)).toBe(false)
  })

  test('waits for a process that died, and takes over', async () => {
    const { path, lockfile } = await claim()
    writeFileSync(lockfile, '')
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const work = withFileLock({ path }, async () => 'done')
    await delay(60)
    vi.setSystemTime(Date.now() + 10_001)
    expect(await work).toBe('done')
  })

  test('is an error if the lockfile is a folder', async () => {
    const asked = await claim({ waitTimeout: 100 })
    mkdirSync(asked.lockfile)
    await expect(withFileLock(asked, async () => 'done')).rejects.toMatchObject({
      code: 'LOCK_BUSY',
      details: { pid: 'unknown' },
    })
    age(asked.lockfile)
    await expect(withFileLock(asked, async () => 'done')).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
      details: { path: asked.lockfile },
    })
  })

  test('is LOCK_BUSY with the id of the other process after the time limit', async () => {
    const asked = await claim({ waitTimeout: 100 })
    writeFileSync(asked.lockfile, String(process.ppid))
    const work = withFileLock(asked, async () => 'done')
    await expect(work).rejects.toMatchObject({
      code: 'LOCK_BUSY',
      message: expect.stringContaining(asked.lockfile),
      details: { path: asked.path, pid: String(process.ppid) },
    })
    expect(readFileSync(asked.lockfile, 'utf8')).toBe(String(process.ppid))
  })

  test('stops waiting when it is aborted', async () => {
    const asked = await claim()
    writeFileSync(asked.lockfile, String(process.ppid))
    // After the first look at the lockfile, in the wait for the next one.
    const signal = AbortSignal.timeout(20)
    await expect(withFileLock({ ...asked, signal }, async () => 'done')).rejects.toThrow(/abort/i)
  })

  test('rejects with the reason of the abort', async () => {
    const asked = await claim()
    const aborter = new AbortController()
    const reason = new Error('interrupted')
    await withFileLock(asked, async () => {
      const waiting = withFileLock({ ...asked, signal: aborter.signal }, async () => 'done')
      aborter.abort(reason)
      await expect(waiting).rejects.toBe(reason)
    })
  })
})
