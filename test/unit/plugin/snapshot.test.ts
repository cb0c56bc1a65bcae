import { describe, expect, test } from 'vitest'
import { parseModule } from '../../../src/codegen/assert-only-data.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { idsOf } from '../../../src/plugin/ids.ts'
import {
  createSnapshot,
  type Snapshot,
  type SnapshotSettings,
} from '../../../src/plugin/snapshot.ts'
import { liveLock, lockOf } from '../../helpers/pinned.ts'

const ALL = { use: 'all', parse: parseModule } as const

const SETTINGS = { ids: idsOf('prompts'), shape: 'namespace', byUse: true } as const

/** What an importer uses, by the names of prompts. */
function used(...names: string[]) {
  return { use: new Set(names), parse: parseModule }
}

function snapshotOf(count: number, settings: SnapshotSettings = SETTINGS): Snapshot {
  const slugs = Array.from({ length: count }, (_, index) => `prompt-${`${index}`.padStart(5, '0')}`)
  const lock = liveLock(...slugs.map((slug) => ({ slug })))
  return createSnapshot(planModule(lock, 'live'), settings)
}

/** The prompts that a part of the definitions defines. */
function definedIn({ code }: Snapshot, part: number): string[] {
  const text = code({ kind: 'definitions', part }, ALL)
  return [...text.matchAll(/^export const (p\d+) /gm)].map(([, name = '']) => name)
}

/** The definition modules that a module imports. */
function partsOf(code: string): string[] {
  return [...code.matchAll(/"virtual:prompts\/definitions\/(\d+)"/g)].map(([, part = '']) => part)
}

describe('the definitions', () => {
  test('of a build are one module for each prompt, which an importer by use shares with all', () => {
    const snapshot = snapshotOf(3)
    expect([0, 1, 2].map((part) => definedIn(snapshot, part))).toEqual([['p0'], ['p1'], ['p2']])
    const byUse = snapshot.code(
      { kind: 'all', staging: false, importer: 'ab' },
      used('prompt-00002'),
    )
    expect(partsOf(byUse)).toEqual(['2'])
    expect(byUse).toContain('p2 as "prompt-00002"')
    expect(snapshot.code({ kind: 'all', staging: false }, ALL)).toContain('p2 as "prompt-00002"')
  })
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
    expect(object).toContain('["prompt00000"]: p0')
    expect(object).not.toContain('p1')
  })
})

describe('the modules of staging', () => {
  const live = [{ slug: 'changed' }, { slug: 'gone' }, { slug: 'same' }]
  const staging = [{ slug: 'changed', version: 'v23' }, { slug: 'new' }]
  const lock = lockOf({ live, staging })
  const all = { kind: 'all', staging: true } as const

  test('have the live definitions of prompts without a staging part, and own ones for the others', () => {
    const { code, parts } = createSnapshot(planModule(lock, 'live'), SETTINGS)
    expect(partsOf(code({ kind: 'all', staging: false }, ALL))).toEqual(['0', '1', '2'])
    expect(partsOf(code(all, ALL))).toEqual(['3', '1', '4', '2'])
    expect(parts.flat().map(({ prompt: { slug, version } }) => `${slug} ${version}`)).toEqual([
      'changed v22',
      'gone v22',
      'same v22',
      'changed v23',
      'new v22',
    ])
    expect(code({ kind: 'definitions', part: 3 }, ALL)).toMatch(/"changed", "v23",.* "test"/)
  })

  test('share no module of definitions with the live ones in a dev server', () => {
    const snapshot = createSnapshot(planModule(lock, 'live'), { ...SETTINGS, byUse: false })
    expect(partsOf(snapshot.code(all, ALL))).toEqual(['1', '0'])
    expect(definedIn(snapshot, 0)).toEqual(['p0', 'p1', 'p2'])
    expect(definedIn(snapshot, 1)).toEqual(['p3', 'p5'])
  })

  test('are those of the test view, where a prompt is live unless it is staged', () => {
    const { code } = createSnapshot(planModule(lock, 'test'), SETTINGS)
    for (const isStaging of [false, true])
      expect(partsOf(code({ kind: 'all', staging: isStaging }, ALL))).toEqual(['0', '1', '2', '3'])
    expect(code({ kind: 'definitions', part: 0 }, ALL)).toMatch(/"changed", "v23",.* "test"/)
    expect(code({ kind: 'definitions', part: 1 }, ALL)).toMatch(/"v22",.* "live"/)
  })
})
