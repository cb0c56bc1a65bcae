import { describe, expect, test } from 'vitest'
import { parseModule } from '../../../src/codegen/assert-only-data.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { GROUPS, idsOf, type ModuleName } from '../../../src/plugin/ids.ts'
import {
  createSnapshot,
  type Snapshot,
  type SnapshotSettings,
} from '../../../src/plugin/snapshot.ts'
import { liveLock, lockOf } from '../../helpers/pinned.ts'

const ALL = { use: 'all', parse: parseModule } as const

const SETTINGS = { ids: idsOf('prompts'), shape: 'namespace', groups: Infinity } as const

const GROUPED = { ...SETTINGS, groups: GROUPS }

/** What an importer uses, by the names of prompts. */
function used(...names: string[]) {
  return { use: new Set(names), parse: parseModule }
}

function snapshotOf(count: number, settings: SnapshotSettings = SETTINGS): Snapshot {
  const slugs = Array.from({ length: count }, (_, index) => `prompt-${`${index}`.padStart(5, '0')}`)
  const lock = liveLock(...slugs.map((slug) => ({ slug })))
  return createSnapshot(planModule(lock, 'live'), settings)
}

/** The prompts that each part of the definitions defines, as `environment slug`. */
function definedBy({ code, parts }: Snapshot): Map<string, string[]> {
  return new Map(
    [...parts().keys()].map((part) => {
      const text = code({ kind: 'definitions', part }, ALL)
      const defined = text.matchAll(/definePrompt\("(.+?)", .+?, "(live|test)", /g)
      return [part, [...defined].map(([, slug, environment]) => `${environment} ${slug}`)]
    }),
  )
}

/** The prompts that a module imports, each from a module of its own. */
function importedBy(code: string, snapshot: Snapshot): unknown[] {
  const parts = [...code.matchAll(/"virtual:prompts\/definitions\/(\d+)"/g)]
  return parts.flatMap(([, part = '']) => definedBy(snapshot).get(part))
}

/** The imports of the modules with all prompts that fail after an update, which loads only what differs again. */
function brokenImports(old: Snapshot, now: Snapshot): string[] {
  const current = (name: ModuleName): string => (now.differs(name, old) ? now : old).code(name, ALL)
  return [false, true].flatMap((staging) => {
    const code = current({ kind: 'all', staging })
    return [...code.matchAll(/\{([^}]*)\} from "virtual:prompts\/definitions\/(\d+)"/g)].flatMap(
      ([, names = '', part = '']) => {
        const definitions = current({ kind: 'definitions', part })
        const constants = names.match(/\bp\d+\b/g) ?? []
        return constants.filter((constant) => !definitions.includes(` ${constant} = `))
      },
    )
  })
}

describe('the definitions', () => {
  test('of a build are one module for each prompt, which an importer by use shares with all', () => {
    const snapshot = snapshotOf(3)
    const slugs = [0, 1, 2].map((index) => [`live prompt-0000${index}`])
    expect([...definedBy(snapshot).values()]).toEqual(slugs)
    const byUse = { kind: 'all', staging: false, importer: 'ab' } as const
    const code = snapshot.code(byUse, used('prompt-00002'))
    expect(importedBy(code, snapshot)).toEqual(['live prompt-00002'])
    const [constant = ''] = /p\d+ as "prompt-00002"/.exec(code) ?? []
    expect(snapshot.code({ kind: 'all', staging: false }, ALL)).toContain(constant)
  })

  test('of a dev server are in groups, of which another prompt changes one', () => {
    const [old, now] = [snapshotOf(1000, GROUPED), snapshotOf(1001, GROUPED)]
    const sizes = [...old.parts().values()].map(({ length }) => length)
    expect([sizes.length, Math.max(...sizes) < 60]).toEqual([GROUPS, true])
    const parts = [...now.parts().keys()]
    const isChanged = (part: string): boolean => now.differs({ kind: 'definitions', part }, old)
    expect(parts.filter(isChanged)).toHaveLength(1)
  })

  test('of a dev server stay where modules that have not changed import them, however many there are', () => {
    const parts = Array.from({ length: 45 }, (_, index) => ({ slug: `prompt-${index}` }))
    const locks = [
      // The live view has the same prompts in all of them.
      ...[5, 6, 45].map((count) => lockOf({ live: parts, staging: parts.slice(0, count) })),
      ...[1, 44].map((count) => lockOf({ live: parts.slice(0, count) })),
    ]
    const snapshots = locks.map((lock) => createSnapshot(planModule(lock, 'live'), GROUPED))
    for (const old of snapshots)
      for (const now of snapshots) expect(brokenImports(old, now)).toEqual([])
  })

  test.each([Infinity, GROUPS])(
    'have constants that other prompts do not change, in %s modules',
    (groups) => {
      const codeWith = (...before: string[]): string => {
        const lock = liveLock(...before.map((slug) => ({ slug })), { slug: 'b' })
        const { code } = createSnapshot(planModule(lock, 'live'), { ...SETTINGS, groups })
        return /^ {2}(p\d+) as b,$/m.exec(code({ kind: 'all', staging: false }, ALL))?.[1] ?? ''
      }
      expect(codeWith()).toMatch(/^p\d{10,20}$/)
      expect(codeWith('a', 'b2')).toBe(codeWith())
    },
  )
})

describe('the module of one importer', () => {
  const entry = { kind: 'entry', staging: false, importer: 'ab' } as const
  const all = { kind: 'all', staging: false, importer: 'ab' } as const

  test('has each used name once, and ignores names of no prompt', () => {
    const text = snapshotOf(3).code(all, used('prompt00002', 'prompt-00000', 'toString'))
    const names = [...text.matchAll(/ as (.+),$/gm)].map(([, name]) => name)
    expect(names).toEqual(['"prompt-00000"', 'prompt00002'])
  })

  test('imports its own namespace, or in esbuild has an object, which it can tree-shake', () => {
    const { code } = snapshotOf(3)
    expect(code(entry, used('prompt00002'))).toContain('from "virtual:prompts/for/ab/all"')
    expect(code(entry, ALL)).toContain('from "virtual:prompts/all"')
    const object = snapshotOf(2, { ...SETTINGS, shape: 'object' }).code(entry, used('prompt00000'))
    expect(object).toMatch(/\["prompt00000"\]: p\d+/)
    expect(object.match(/definitions/g)).toHaveLength(1)
  })
})

describe('the modules of staging', () => {
  const live = [{ slug: 'changed' }, { slug: 'gone' }, { slug: 'same' }]
  const staging = [{ slug: 'changed', version: 'v23' }, { slug: 'new' }]
  const lock = lockOf({ live, staging })
  const all = { kind: 'all', staging: true } as const

  test('have the live definitions of prompts without a staging part, and own ones for the others', () => {
    const snapshot = createSnapshot(planModule(lock, 'live'), SETTINGS)
    const { code } = snapshot
    const pinned = ['live changed', 'live gone', 'live same']
    expect(importedBy(code({ kind: 'all', staging: false }, ALL), snapshot)).toEqual(pinned)
    const served = ['test changed', 'live gone', 'test new', 'live same']
    expect(importedBy(code(all, ALL), snapshot)).toEqual(served)
    expect([...definedBy(snapshot).values()].flat()).toEqual([
      ...pinned,
      'test changed',
      'test new',
    ])
  })

  test('are those of the test view, where a prompt is live unless it is staged', () => {
    const snapshot = createSnapshot(planModule(lock, 'test'), SETTINGS)
    const served = ['test changed', 'live gone', 'test new', 'live same']
    for (const isStaging of [false, true]) {
      const code = snapshot.code({ kind: 'all', staging: isStaging }, ALL)
      expect(importedBy(code, snapshot)).toEqual(served)
    }
    expect([...definedBy(snapshot).values()].flat()).toEqual(served)
  })
})
