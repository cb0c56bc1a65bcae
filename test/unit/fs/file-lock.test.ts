import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
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

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid
}

/** The lockfile of a process of this machine. */
function lockfileOf(pid: number | undefined): string {
  return `${pid} ${hostname()}`
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
    expect(text).toBe(`${process.pid} ${hostname()}`)
    expect(existsSync(asked.lockfile)).toBe(false)
  })

  test('leaves no lockfile when the work fails', async () => {
    const asked = await claim()
    const work = withFileLock(asked, () => Promise.reject(new Error('no')))
    await expect(work).rejects.toThrow('no')
    expect(existsSync(asked.lockfile)).toBe(false)
  })

  test('takes over from a process that has ended', async () => {
    const asked = await claim()
    writeFileSync(asked.lockfile, lockfileOf(deadPid()))
    expect(await withFileLock(asked, async () => 'done')).toBe('done')
  })

  test('takes over from a process that ended before it wrote its id', async () => {
    const asked = await claim()
    writeFileSync(asked.lockfile, '')
    age(asked.lockfile)
    expect(await withFileLock(asked, async () => 'done')).toBe('done')
  })

  test('takes over from a process whose lockfile has a time in the future', async () => {
    const asked = await claim()
    writeFileSync(asked.lockfile, lockfileOf(process.ppid))
    const future = new Date(Date.now() + 3_600_000)
    utimesSync(asked.lockfile, future, future)
    expect(await withFileLock(asked, async () => 'done')).toBe('done')
  })

  test('takes over if a new process has the id of the ended one', async () => {
    const asked = await claim()
    writeFileSync(asked.lockfile, lockfileOf(process.ppid))
    age(asked.lockfile)
    expect(await withFileLock(asked, async () => 'done')).toBe('done')
  })

  test('renews its lockfile, so long work is not taken over', async () => {
    const asked = await claim()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const isOld = (): boolean => statSync(asked.lockfile).mtimeMs < Date.now() - 30_000
    await withFileLock(asked, async () => {
      age(asked.lockfile)
      expect(isOld()).toBe(true)
      vi.advanceTimersByTime(1000)
      await vi.waitUntil(() => !isOld(), { timeout: 30_000 })
    })
  })

  test('is LOCK_BUSY while a process of another container works', async () => {
    const asked = await claim({ waitTimeout: 100 })
    writeFileSync(asked.lockfile, `${deadPid()} elsewhere`)
    await expect(withFileLock(asked, async () => 'done')).rejects.toMatchObject({
      code: 'LOCK_BUSY',
      details: { pid: expect.stringMatching(/^\d+ on elsewhere$/) },
    })
    age(asked.lockfile)
    expect(await withFileLock(asked, async () => 'done')).toBe('done')
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

  test('sweeps what a process left that died while it took over', async () => {
    const asked = await claim()
    writeFileSync(`${asked.lockfile}-takeover`, '')
    age(`${asked.lockfile}-takeover`)
    expect(await withFileLock(asked, async () => 'done')).toBe('done')
    expect(existsSync(`${asked.lockfile}-takeover`)).toBe(false)
  })

  test('lets only one process take over', async () => {
    const asked = await claim()
    writeFileSync(asked.lockfile, lockfileOf(deadPid()))
    expect(await mostAtOnce(asked)).toBe(1)
  })

  test('is LOCK_BUSY with the id of the other process after the time limit', async () => {
    const asked = await claim({ waitTimeout: 100 })
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    onTestFinished(() => void other.kill())
    writeFileSync(asked.lockfile, lockfileOf(other.pid))
    const work = withFileLock(asked, async () => 'done')
    await expect(work).rejects.toMatchObject({
      code: 'LOCK_BUSY',
      message: expect.stringContaining(asked.lockfile),
      details: { path: asked.path, pid: `${other.pid} on ${hostname()}` },
    })
    expect(readFileSync(asked.lockfile, 'utf8')).toBe(lockfileOf(other.pid))
  })

  test('stops waiting when it is aborted', async () => {
    const asked = await claim()
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    onTestFinished(() => void other.kill())
    writeFileSync(asked.lockfile, lockfileOf(other.pid))
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
