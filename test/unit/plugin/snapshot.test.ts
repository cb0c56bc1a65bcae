import { describe, expect, test } from 'vitest'
import { parseModule } from '../../../src/codegen/assert-only-data.ts'
import { idsOf } from '../../../src/plugin/ids.ts'
import { planSnapshot, type Snapshot } from '../../../src/plugin/snapshot.ts'
import { liveLock } from '../../helpers/pinned.ts'

const ALL = { use: 'all', parse: parseModule } as const

function snapshotOf(count: number): Snapshot {
  const slugs = Array.from({ length: count }, (_, index) => `prompt-${`${index}`.padStart(5, '0')}`)
  const lock = liveLock(...slugs.map((slug) => ({ slug })))
  return planSnapshot(lock, { ids: idsOf('prompts'), shape: 'namespace', byUse: true })
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

describe('the definitions of a build', () => {
  test('are one module for each prompt', () => {
    const snapshot = snapshotOf(3)
    expect([0, 1, 2].map((part) => definedIn(snapshot, part))).toEqual([['p0'], ['p1'], ['p2']])
  })

  test('are one module for all prompts in a dev server, also if there are none', () => {
    const lock = liveLock({ slug: 'a' }, { slug: 'b' })
    const settings = { ids: idsOf('prompts'), shape: 'namespace', byUse: false } as const
    expect(definedIn(planSnapshot(lock, settings), 0)).toEqual(['p0', 'p1'])
    expect(partsOf(planSnapshot(lock, settings).code({ kind: 'all' }, ALL))).toEqual(['0'])
    expect(definedIn(planSnapshot(liveLock(), settings), 0)).toEqual([])
  })

  test('are the same for an importer by use and for one of all: a prompt is one object', () => {
    const { code } = snapshotOf(4)
    const byUse = code({ kind: 'all', importer: 'ab' }, { ...ALL, use: new Set(['prompt-00003']) })
    expect(partsOf(byUse)).toEqual(['3'])
    expect(byUse).toContain('p3 as "prompt-00003"')
    expect(code({ kind: 'all' }, ALL)).toContain('p3 as "prompt-00003"')
  })
})

describe('the module of one importer', () => {
  const used = (...names: string[]): { use: ReadonlySet<string>; parse: typeof parseModule } => ({
    use: new Set(names),
    parse: parseModule,
  })
  const entry = { kind: 'entry', importer: 'ab' } as const
  const all = { kind: 'all', importer: 'ab' } as const

  test('has each used name once, and ignores names of no prompt', () => {
    const { code } = snapshotOf(3)
    const text = code(all, used('prompt00002', 'prompt-00000', 'toString'))
    expect([...text.matchAll(/ as (.+),$/gm)].map(([, name]) => name)).toEqual([
      '"prompt-00000"',
      'prompt00002',
    ])
  })

  test('imports its own namespace', () => {
    const { code } = snapshotOf(3)
    expect(code(entry, used('prompt00002'))).toContain('from "virtual:prompts/for/ab/all"')
    expect(code(entry, ALL)).toContain('from "virtual:prompts/all"')
  })

  test('is an object in esbuild, which never tree-shakes a namespace', () => {
    const lock = liveLock({ slug: 'a' }, { slug: 'b' })
    const { code } = planSnapshot(lock, { ids: idsOf('prompts'), shape: 'object', byUse: true })
    expect(code(entry, used('a'))).toContain('["a"]: p0')
    expect(code(entry, used('a'))).not.toContain('p1')
  })
})
