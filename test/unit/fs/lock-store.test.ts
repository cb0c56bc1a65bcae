import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Lock, type PinnedPrompt, sortParts } from '../../../src/core/prompt.ts'
import { readHistory } from '../../../src/features/log/read-history.ts'
import { type LockStore, createLockStore, readLockAt } from '../../../src/fs/lock-store.ts'
import { commitAll, git } from '../../helpers/git-repository.ts'
import { liveLock, lockOf, partsOf, pinned, lockText } from '../../helpers/pinned.ts'
import { rejection } from '../../helpers/service-client.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const LOCK = liveLock({ slug: 'a', system: 'One\r\nTwo\n' }, { slug: 'b' })

async function emptyLock(): Promise<LockStore> {
  const root = await temporaryFolder()
  return createLockStore(join(root, 'prompts.lock.json'), root)
}

describe('a lock on disk', () => {
  test.each([
    ['CRLF, as in a checkout', lockText(LOCK).replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${lockText(LOCK)}`],
  ])('is the same with %s, which stays', async (_, text) => {
    const lock = await emptyLock()
    await writeFile(lock.path, text)
    expect(await lock.read()).toEqual(LOCK)
    expect(await lock.write(lockText(LOCK))).toBe('unchanged')
    expect(await readFile(lock.path, 'utf8')).toBe(text)
  })

  test.each([true, false])(
    'is opened by no build if it is out of order (production: %s)',
    async (production) => {
      const lock = await emptyLock()
      const text = lockText(LOCK)
      const entries = text.match(/ {4}\{\n[^]*?\n {4}\}/g) ?? []
      await writeFile(
        lock.path,
        text.replace(entries.join(',\n'), entries.toReversed().join(',\n')),
      )
      expect(await rejection(lock.open({ production }))).toMatchObject({ code: 'LOCK_UNSORTED' })
      expect(await lock.read()).toEqual(LOCK)
    },
  )

  test.each([
    ['a number', '"temperature": 0.2', '"temperature": 0.\n2'],
    ['a word', 'null', 'nu ll'],
  ])('is damaged by white space inside of %s, and written again', async (_, good, bad) => {
    const lock = await emptyLock()
    const text = lockText(lockOf({ live: [{}], staging: [{ slug: 'b' }] }))
    await writeFile(lock.path, text.replace(good, bad))
    expect(await lock.readFormer()).toMatchObject({ kind: 'damaged' })
    expect(await lock.write(text)).toBe('written')
    expect(await readFile(lock.path, 'utf8')).toBe(text)
  })

  test.each([
    '{ "mine": ["important"] }',
    '[1, 2]',
    '"text"',
    'lockfileVersion: 9.0\n',
    '# Notes\n',
  ])('is none that a pull may replace if it is the file of another program: %j', async (text) => {
    const lock = await emptyLock()
    await writeFile(lock.path, text)
    expect(await rejection(lock.readFormer())).toMatchObject({ code: 'FILE_FOREIGN' })
  })

  test.each(['\n', '{', '{}', '{\n  "lockVer', '\0\0\0'])(
    'is damaged if little of it is left: %j',
    async (text) => {
      const lock = await emptyLock()
      await writeFile(lock.path, text)
      expect(await lock.readFormer()).toMatchObject({ kind: 'damaged' })
    },
  )
})

describe('a lock in git', () => {
  /** A repository whose lock has these texts, one commit after the other. */
  async function committed(...texts: readonly (string | Uint8Array)[]): Promise<LockStore> {
    const lock = await emptyLock()
    for (const text of texts) {
      await writeFile(lock.path, text)
      commitAll(dirname(lock.path))
    }
    return lock
  }

  const marked = (lock: Lock): string => `\ufeff${lockText(lock)}`

  test('is read with a byte order mark, at a revision and in the history', async () => {
    const lock = await committed(marked(LOCK), marked(liveLock({ slug: 'a' })))
    expect(await readLockAt(lock, 'HEAD~1')).toEqual(LOCK)
    const { entries } = await readHistory(lock, { limit: 9 })
    expect(entries.map(({ rows }) => rows?.map(({ slug, kind }) => `${slug} ${kind}`))).toEqual([
      ['a updated', 'b removed'],
      ['a added', 'b added'],
    ])
  })

  test('is merged with a byte order mark, as on disk', async () => {
    const lock = await committed(marked(liveLock({ slug: 'a' }, { slug: 'b' })))
    const root = dirname(lock.path)
    for (const version of ['v1', 'v2']) {
      git(root, 'switch', '--quiet', '--create', version, 'main')
      await writeFile(lock.path, marked(liveLock({ slug: 'a', version }, { slug: 'b' })))
      commitAll(root)
    }
    expect(() => git(root, 'merge', 'v1')).toThrow('merge')
    expect(await lock.readFormer()).toMatchObject({
      kind: 'whole',
      parts: [{ slug: 'b' }],
      open: [{ slug: 'a', sides: [{ version: 'v2' }, { version: 'v1' }] }],
    })
  })

  /** A part of a prompt, whose texts share lines with those of others. */
  function partOf(word: string): PinnedPrompt {
    const [part] = partsOf(word)
    const number = Number(part?.version.slice(1))
    const user = number % 2 ? 'Of {{ x }}' : ''
    return { ...pinned({ ...part, system: `Text ${number % 3}\nline`, user }) }
  }

  test.each([
    ['c3 c*1', 'b*2 c3', 'c3 c*7!', ['b*2', 'c3', 'c*7!']],
    ['a1 o1', 'a1 o1!', 'a1 n1', ['a1', 'n1', 'o1!']],
  ])(
    'in a merge of %s, has the parts of both sides, wherever git put their lines: %s and %s',
    async (base, ours, theirs, want) => {
      const print = (words: string): string => lockText({ parts: words.split(' ').map(partOf) })
      const lock = await committed(print(base))
      const root = dirname(lock.path)
      for (const words of [theirs, ours]) {
        git(root, 'switch', '--quiet', '--create', words === ours ? 'ours' : 'theirs', 'main')
        await writeFile(lock.path, print(words))
        commitAll(root)
      }
      expect(() => git(root, 'merge', 'theirs')).toThrow('merge')
      const parts = sortParts(want.map(partOf))
      expect(await lock.readFormer()).toMatchObject({ kind: 'whole', open: [], parts })
    },
  )

  test('that is not UTF-8 is an error of the file or of its revision, and has no rows in the history', async () => {
    const lock = await committed(lockText(LOCK), Uint8Array.of(0x7b, 0xff))
    const unreadable = { code: 'FILE_UNREADABLE', details: { path: lock.path } }
    expect(await rejection(lock.read())).toMatchObject(unreadable)
    expect(await rejection(readLockAt(lock, 'HEAD'))).toMatchObject({
      code: 'REVISION_UNREADABLE',
      details: { reason: expect.stringContaining('UTF-8') },
    })
    const { entries } = await readHistory(lock, { limit: 1 })
    expect(entries).toMatchObject([{ rows: null }])
  })
})

describe('the stamp of a lock', () => {
  test('stays while the file is as it was', async () => {
    const lock = await emptyLock()
    await lock.write(lockText(LOCK))
    const stamp = await lock.readHash()
    await lock.read()
    await lock.write(lockText(LOCK))
    await chmod(lock.path, 0o600)
    expect(await lock.readHash()).toBe(stamp)
  })

  test('changes with the file, also within one tick of the clock and for the same size', async () => {
    const lock = await emptyLock()
    const stamps: (string | undefined)[] = ['none yet']
    for (const model of ['m1', 'm2', 'm3', 'm4']) {
      await lock.write(lockText(liveLock({ slug: 'a', model })))
      stamps.push(await lock.readHash())
    }
    expect(stamps.filter((stamp, index) => stamp === stamps[index - 1])).toEqual([])
    await rm(lock.path)
    expect(await lock.readHash()).toBeUndefined()
  })
})
