import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { exclusively } from '../../src/io/exclusive.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

interface Claim {
  readonly path: string
  readonly mark: string
  readonly patience: number
}

async function claim({ patience = 5_000 } = {}): Promise<Claim> {
  const folder = await temporaryFolder()
  const name = 'prompts.lock.json'
  return { path: join(folder, name), mark: join(folder, `.${name}.pulling`), patience }
}

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid
}

/** What the mark of a process of this machine says. */
function markOf(pid: number | undefined): string {
  return `${pid} ${hostname()}`
}

/** Makes a file look as if nobody had touched it for a minute. */
function age(path: string): void {
  const past = new Date(Date.now() - 60_000)
  utimesSync(path, past, past)
}

describe('work on one lock', () => {
  test('runs one after the other, however many ask at once (FAULTS 57)', async () => {
    const asked = await claim()
    let running = 0
    let most = 0
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running)
      await delay(20)
      running--
    }
    await Promise.all(Array.from({ length: 8 }, () => exclusively(asked, work)))
    expect(most).toBe(1)
  })

  test('gives what the work gives, and leaves no mark', async () => {
    const asked = await claim()
    const text = await exclusively(asked, async () => readFileSync(asked.mark, 'utf8'))
    expect(text).toBe(`${process.pid} ${hostname()}`)
    expect(existsSync(asked.mark)).toBe(false)
  })

  test('leaves no mark when the work fails', async () => {
    const asked = await claim()
    const work = exclusively(asked, () => Promise.reject(new Error('no')))
    await expect(work).rejects.toThrow('no')
    expect(existsSync(asked.mark)).toBe(false)
  })

  test('takes over from a process that is dead (FAULTS 57)', async () => {
    const asked = await claim()
    writeFileSync(asked.mark, markOf(deadPid()))
    expect(await exclusively(asked, async () => 'done')).toBe('done')
  })

  test('takes over from a process that died before it wrote its id', async () => {
    const asked = await claim()
    writeFileSync(asked.mark, '')
    age(asked.mark)
    expect(await exclusively(asked, async () => 'done')).toBe('done')
  })

  test('takes over where another process has got the number of a dead one since', async () => {
    const asked = await claim()
    writeFileSync(asked.mark, markOf(process.ppid))
    age(asked.mark)
    expect(await exclusively(asked, async () => 'done')).toBe('done')
  })

  test('renews its mark, so that nobody takes over from a long one', async () => {
    const asked = await claim()
    const isOld = (): boolean => statSync(asked.mark).mtimeMs < Date.now() - 30_000
    await exclusively(asked, async () => {
      age(asked.mark)
      expect(isOld()).toBe(true)
      await vi.waitUntil(() => !isOld(), { timeout: 30_000 })
    })
  })

  test('is refused while one in another container works, whose number means nothing here', async () => {
    const asked = await claim({ patience: 100 })
    writeFileSync(asked.mark, `${deadPid()} elsewhere`)
    await expect(exclusively(asked, async () => 'done')).rejects.toMatchObject({
      code: 'LOCK_BUSY',
      details: { pid: expect.stringMatching(/^\d+ on elsewhere$/) },
    })
    age(asked.mark)
    expect(await exclusively(asked, async () => 'done')).toBe('done')
  })

  test('is refused where its mark is something that is no mark', async () => {
    const asked = await claim({ patience: 100 })
    mkdirSync(asked.mark)
    await expect(exclusively(asked, async () => 'done')).rejects.toMatchObject({
      code: 'LOCK_BUSY',
      details: { pid: 'unknown' },
    })
    age(asked.mark)
    await expect(exclusively(asked, async () => 'done')).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
      details: { path: asked.mark },
    })
  })

  test('sweeps what a process left that died while it took over (FAULTS 56)', async () => {
    const asked = await claim()
    writeFileSync(`${asked.mark}-takeover`, '')
    age(`${asked.mark}-takeover`)
    expect(await exclusively(asked, async () => 'done')).toBe('done')
    expect(existsSync(`${asked.mark}-takeover`)).toBe(false)
  })

  test('lets only one of many take over from a dead process', async () => {
    const asked = await claim()
    writeFileSync(asked.mark, markOf(deadPid()))
    let running = 0
    let most = 0
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running)
      await delay(10)
      running--
    }
    await Promise.all(Array.from({ length: 8 }, () => exclusively(asked, work)))
    expect(most).toBe(1)
  })

  test('is refused with the id of the other process when that takes too long (FAULTS 57)', async () => {
    const asked = await claim({ patience: 100 })
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    onTestFinished(() => void other.kill())
    writeFileSync(asked.mark, markOf(other.pid))
    const work = exclusively(asked, async () => 'done')
    await expect(work).rejects.toMatchObject({
      code: 'LOCK_BUSY',
      details: { path: asked.path, pid: `${other.pid}` },
    })
    expect(readFileSync(asked.mark, 'utf8')).toBe(markOf(other.pid))
  })

  test('stops waiting when its caller gives up', async () => {
    const asked = await claim()
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    onTestFinished(() => void other.kill())
    writeFileSync(asked.mark, markOf(other.pid))
    const signal = AbortSignal.timeout(60)
    await expect(exclusively({ ...asked, signal }, async () => 'done')).rejects.toThrow(/abort/i)
  })
})
