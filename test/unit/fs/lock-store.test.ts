import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { printLock } from '../../../src/core/lock/print-lock.ts'
import { sha256 } from '../../../src/fs/files.ts'
import { type LockStore, createLockStore } from '../../../src/fs/lock-store.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const LOCK = liveLock({ slug: 'a', system: 'One\r\nTwo\n' }, { slug: 'b' })

async function emptyLock(): Promise<LockStore> {
  const root = await temporaryFolder()
  return createLockStore(join(root, 'prompts.lock.json'), root)
}

describe('a lock on disk', () => {
  test.each([
    ['CRLF, as in a checkout', printLock(LOCK, sha256).replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${printLock(LOCK, sha256)}`],
  ])('is the same with %s, which stays', async (_, text) => {
    const lock = await emptyLock()
    await writeFile(lock.path, text)
    expect(await lock.read()).toEqual(LOCK)
    expect(await lock.write(LOCK)).toBe('unchanged')
    expect(await readFile(lock.path, 'utf8')).toBe(text)
  })
})

describe('the stamp of a lock', () => {
  test('stays while the file is as it was', async () => {
    const lock = await emptyLock()
    await lock.write(LOCK)
    const stamp = await lock.readHash()
    await lock.read()
    await lock.write(LOCK)
    await chmod(lock.path, 0o600)
    expect(await lock.readHash()).toBe(stamp)
  })

  test('changes with the file, also within one tick of the clock and for the same size', async () => {
    const lock = await emptyLock()
    const stamps: (string | undefined)[] = ['none yet']
    for (const model of ['m1', 'm2', 'm3', 'm4']) {
      await lock.write(liveLock({ slug: 'a', model }))
      stamps.push(await lock.readHash())
    }
    expect(stamps.filter((stamp, index) => stamp === stamps[index - 1])).toEqual([])
    await rm(lock.path)
    expect(await lock.readHash()).toBeUndefined()
  })
})
