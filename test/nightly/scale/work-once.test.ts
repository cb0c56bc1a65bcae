import crypto from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Host } from '../../../src/plugin/host.ts'
import { createInstance } from '../../../src/plugin/instance.ts'
import { liveLock, lockText } from '../../helpers/pinned.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const SIZE = 1000

/** Longer than whatever else is parsed, printed or hashed: each counted text has an entry of the lock in it. */
const TEXT = 'Sort {{ ticket }}, and say why.\n'.repeat(60)

function printedLock(end: string): string {
  const system = (index: number): string => (index === 3 ? TEXT + end : TEXT)
  const prompts = Array.from({ length: SIZE }, (_, index) => ({
    slug: `${index}`,
    system: system(index),
  }))
  return lockText(liveLock(...prompts))
}

/** How many long texts some work parses, prints and hashes in this process, and how often a text of this size. */
async function countWork(size: number, work: () => Promise<unknown>): Promise<object> {
  const parse = vi.spyOn(JSON, 'parse')
  const print = vi.spyOn(JSON, 'stringify')
  const hash = vi.spyOn(crypto, 'hash')
  const update = vi.spyOn(crypto.Hash.prototype, 'update')
  syncBuiltinESMExports()
  await work()
  const worked = {
    parsed: parse.mock.calls.flat(),
    printed: print.mock.results.map(({ value }): unknown => value),
    hashed: [...hash.mock.calls, ...update.mock.calls].flat(),
  }
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  const count = (values: readonly unknown[]): object => {
    const texts = values.map(String).filter((text) => text.length >= TEXT.length)
    return { texts: texts.length, times: Math.round(texts.join('').length / size) }
  }
  return Object.fromEntries(Object.entries(worked).map(([name, values]) => [name, count(values)]))
}

test('a production build parses, prints and hashes the entry that it ships, a dev server each once, and an update that of the changed prompt', async () => {
  const lock = printedLock('')
  const root = await temporaryFolder({ 'package.json': '{}', 'prompts.lock.json': lock })
  const size = lock.length
  const started = async (production: boolean): Promise<{ host: Host; work: object }> => {
    const told = { root, production, isServer: !production, watched: false }
    const host = await createInstance({ dts: false }).build(told)()
    const work = await countWork(size, async () => {
      const { parts } = (await host.start()).snapshot
      const [part = ''] = parts().keys()
      await host.load(`\0virtual:prompts/definitions/${part}`, { addWatchFile: () => undefined })
    })
    return { host, work }
  }
  const one = { texts: 1, times: 0 }
  const shipped = { parsed: one, printed: one, hashed: one }
  expect((await started(true)).work).toEqual(shipped)
  const each = { texts: SIZE, times: 1 }
  const { host, work } = await started(false)
  expect(work).toEqual({ parsed: each, printed: each, hashed: each })
  await writeFile(join(root, 'prompts.lock.json'), printedLock('Be kind.'))
  const once = { texts: 1, times: 1 }
  const update = await countWork(size / SIZE, () => host.session.reload(() => undefined))
  expect(update).toEqual({ parsed: once, printed: once, hashed: once })
})
