import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ComparedRow } from '../../../src/core/change-row.ts'
import { compareLocks, leaveChanges } from '../../../src/core/compare.ts'
import { describePart, type Lock, type PinnedPrompt } from '../../../src/core/prompt.ts'
import { findBreaking, unanalysedRows } from '../../../src/plan/leave-breaking.ts'
import { PromptsError } from '../../../src/errors/prompts-error.ts'
import { findImpact } from '../../../src/judge/impact.ts'
import { APP_TSCONFIG, locatedApp } from '../../helpers/app-folder.ts'
import { liveLock, lockOf } from '../../helpers/pinned.ts'

const USES = "import { prompts } from 'virtual:prompts'\n"

/** What is skipped of an update in an app of this code; with the rest, no line may stop compiling. */
async function skip(
  before: Lock,
  after: Lock,
  files: Readonly<Record<string, string>>,
): Promise<readonly ComparedRow[]> {
  const location = await locatedApp({ 'tsconfig.json': APP_TSCONFIG, ...files })
  const changes = compareLocks(before, after)
  const { left: skipped, breaks } = await findBreaking(before, changes, location)
  expect(breaks).toMatchObject({ kind: 'checked', report: { findings: [] } })
  const rest = withoutSkipped(before, after, skipped)
  const { findings } = await findImpact({ ...location, before, after: rest })
  expect(findings).toEqual([])
  return skipped
}

function withoutSkipped(before: Lock, after: Lock, skipped: readonly ComparedRow[]): Lock {
  return leaveChanges(
    before,
    after,
    skipped.map(({ change }) => change),
  )
}

const UNREADABLE = new PromptsError('LOCK_MISSING', { path: 'x', workspace: 'prompts' })

function slugs(skipped: readonly ComparedRow[]): string[] {
  return skipped.map(({ change }) => change.slug)
}

describe('an update of several prompts', () => {
  test('leaves an added prompt with its staging version, if the live one takes a name away', async () => {
    const before = liveLock({ slug: 'support-triage', system: 'Sort' })
    const added = { slug: 'support_triage', version: 'v1' }
    const after = lockOf({
      live: [{ slug: 'support-triage', system: 'Sort' }, added],
      staging: [{ ...added, version: 'v2', system: 'Be brief.' }],
    })
    const code = { 'src/main.ts': `${USES}prompts.supportTriage.render()\n` }
    const skipped = await skip(before, after, code)
    const both = ['support_triage', 'support_triage (staging)']
    expect(skipped.map((row) => describePart(row))).toEqual(both)
    expect(withoutSkipped(before, after, skipped)).toEqual(before)
    // Also if nothing can be analysed.
    const unanalysed = unanalysedRows(compareLocks(before, after), UNREADABLE.why)
    expect(unanalysed.map((row) => describePart(row))).toEqual(both)
  })

  test('takes two type checks, however many changes break', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`)
    const before = liveLock(...names.map((slug) => ({ slug, system: '{{ x }}' })))
    const after = liveLock(...names.map((slug) => ({ slug, system: '{{ y }}', version: 'v23' })))
    const calls = names.slice(0, 6).map((slug) => `prompts.${slug}.render({ x: '' })`)
    vi.stubEnv('DEBUG', 'unplugin-prompts:analysis')
    const log = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => void vi.restoreAllMocks().unstubAllEnvs())
    const files = { 'src/main.ts': `${USES}${calls.join('\n')}\n` }
    const location = await locatedApp({ 'tsconfig.json': APP_TSCONFIG, ...files })
    const changes = compareLocks(before, after)
    const { left: skipped } = await findBreaking(before, changes, location)
    expect(slugs(skipped).toSorted()).toEqual(names.slice(0, 6))
    expect(log.mock.calls.filter(([line]) => /type check/.test(line))).toHaveLength(2)
  })

  test.each<[title: string, before: Lock, after: Lock, code: string, skipped: readonly string[]]>([
    [
      'the only change, with reason and place',
      liveLock({ slug: 'a', system: '{{ x }}' }),
      liveLock({ slug: 'a', system: '{{ y }}', version: 'v23' }),
      "prompts.a.render({ x: '' })",
      ['a src/main.ts:2 `render` needs `y`, probably renamed from `x` in v23'],
    ],
    [
      'the prompt that loses a variable, not the removed one of that name',
      liveLock({ slug: 'a', system: '{{ x }} {{ title }}' }, { slug: 'title' }),
      liveLock({ slug: 'a', system: '{{ x }}', version: 'v23' }),
      "prompts.a.render({ x: '', title: '' })",
      ['a src/main.ts:2 `render` no longer takes `title`, removed in v23'],
    ],
    [
      'nothing if a prompt is removed of which code knows only that there are some',
      liveLock({ slug: 'a' }, { slug: 'b' }),
      liveLock({ slug: 'a' }),
      'export const find = (slug: keyof typeof prompts) => prompts[slug]',
      [],
    ],
    [
      'nothing if the app still compiles',
      liveLock({ slug: 'a', system: '{{ x }}' }, { slug: 'b', system: '{{ x }}' }),
      liveLock({ slug: 'a', system: '{{ y }}' }),
      'export const { slug } = prompts.a',
      [],
    ],
    [
      'an addition that takes a name which the app uses',
      liveLock({ slug: 'support-reply' }, { slug: 'zebra' }),
      liveLock(
        { slug: 'support-reply', system: 'Be kinder.' },
        { slug: 'support_reply' },
        { slug: 'zebra', system: 'Be striped.' },
      ),
      'prompts.supportReply.render()',
      ['support_reply src/main.ts:2 `supportReply` is now ambiguous'],
    ],
    [
      'an addition that code over all names does not know',
      liveLock({ slug: 'a' }, { slug: 'b' }),
      liveLock({ slug: 'a' }, { slug: 'b' }, { slug: 'c' }),
      `export const titles: Record<keyof typeof prompts, string> = { a: '', b: '' }`,
      ["c src/main.ts:2 Property 'c' is missing"],
    ],
    [
      'a change that breaks only by its model',
      liveLock({ slug: 'a' }, { slug: 'b' }),
      liveLock({ slug: 'a', model: 'gpt-6' }, { slug: 'b', model: 'gpt-6' }),
      `import type { ModelOf } from 'virtual:prompts'
const MODELS = { 'gpt-5': 1 } satisfies Record<ModelOf<typeof prompts.b>, number>
export const model = MODELS[prompts.b.model]`,
      ['b src/main.ts:3 '],
    ],
    [
      'one of two prompts that the compiler reports together',
      liveLock({ slug: 'a', system: '{{ x }}' }, { slug: 'b', system: '{{ x }}' }),
      liveLock(
        { slug: 'a', system: '{{ x }}', version: 'v23' },
        { slug: 'b', system: '{{ x }} {{ y }}', version: 'v23' },
      ),
      `declare const isA: boolean
const either = isA ? prompts.a : prompts.b
either.render({ x: '' })`,
      ['b src/main.ts:4 `render` needs `y`, added in v23'],
    ],
  ])('skips %s', async (_, before, after, code, want) => {
    const skipped = await skip(before, after, { 'src/main.ts': `${USES}${code}\n` })
    const rows = skipped.map(
      ({ change: { slug }, places: [at], reason }) => `${slug} ${at?.file}:${at?.line} ${reason}`,
    )
    expect(rows).toEqual(want.map((row) => expect.stringContaining(row)))
  })
})

describe('a published version with another contract', () => {
  const [v22, v23] = ['{{ x }}', '{{ x }} {{ tone }}'].map((system, index) => {
    return { slug: 'a', system, version: `v${22 + index}` }
  }) as [Partial<PinnedPrompt>, Partial<PinnedPrompt>]
  const before = lockOf({ live: [v22, { slug: 'b' }], staging: [v23] })
  const others = [{ slug: 'b', version: 'v23' }, { slug: 'c' }]
  const after = liveLock(v23, ...others)
  const LIVE = "prompts.a.render({ x: '' })"
  const STAGING = "staging.a.render({ x: '', tone: '' })"
  const ALL_NAMES = 'export const all: Record<keyof typeof prompts, true> = { b: true }'

  const app = (...code: readonly string[]): Record<string, string> => ({
    'src/main.ts': [
      "import { prompts } from 'virtual:prompts'",
      "import { prompts as staging } from 'virtual:prompts/staging'",
      ...code,
    ].join('\n'),
  })

  test.each<[title: string, before: Lock, after: Lock, code: readonly string[], rest: Lock]>([
    [
      'is left where live code needs the old one and staging code the new one, and nothing else is',
      before,
      after,
      [LIVE, STAGING],
      lockOf({ live: [v22, ...others], staging: [v23] }),
    ],
    [
      'ends as a staging version where only live code needs the old one',
      before,
      after,
      [LIVE],
      liveLock(v22, ...others),
    ],
    ['is taken where only staging code needs it', before, after, [STAGING], after],
    [
      'stays staged beside a held live version where staging code needs it',
      lockOf({ live: [{ ...v22, held: { reason: '' } }], staging: [v23] }),
      lockOf({ live: [{ ...v22, held: { reason: '' } }] }),
      [LIVE, STAGING],
      lockOf({ live: [{ ...v22, held: { reason: '' } }], staging: [v23] }),
    ],
    [
      'is taken by code of a lock that had no live version',
      lockOf({ live: [{ slug: 'b' }], staging: [v23] }),
      liveLock(v23, { slug: 'b' }),
      [STAGING],
      liveLock(v23, { slug: 'b' }),
    ],
    [
      'stays staged if code does not admit a first live version',
      lockOf({ live: [{ slug: 'b' }], staging: [v23] }),
      liveLock(v23, { slug: 'b', version: 'v23' }),
      [ALL_NAMES],
      lockOf({ live: [{ slug: 'b', version: 'v23' }], staging: [v23] }),
    ],
  ])('%s', async (_, from, to, code, rest) => {
    const skipped = await skip(from, to, app(...code))
    expect(withoutSkipped(from, to, skipped)).toEqual(rest)
  })

  test('is left in both views if the app cannot be analysed', () => {
    const skipped = unanalysedRows(compareLocks(before, after), UNREADABLE.why)
    const { parts } = lockOf({ live: [v22, { slug: 'b', version: 'v23' }], staging: [v23] })
    expect(withoutSkipped(before, after, skipped)).toEqual({ ...before, parts })
  })
})

describe('an app that cannot be analysed', () => {
  test('gets no changed contract and no addition', async () => {
    const location = await locatedApp({ 'tsconfig.json': '{ "extends": "./nowhere.json" }' })
    const before = liveLock({ slug: 'a' }, { slug: 'gone' }, { slug: 'needs' }, { slug: 'x-y' })
    const after = liveLock(
      { slug: 'a', system: 'Hello', version: 'v23' },
      { slug: 'fresh' },
      { slug: 'needs', system: '{{ tone }}' },
      { slug: 'x-y' },
      { slug: 'x_y' },
    )
    const changes = compareLocks(before, after)
    const { left: skipped, breaks } = await findBreaking(before, changes, location)
    expect(slugs(skipped).toSorted()).toEqual(['fresh', 'gone', 'needs', 'x_y'])
    const why = expect.stringContaining('nowhere.json')
    expect(breaks).toEqual({ kind: 'harmless' })
    expect(skipped[0]).toMatchObject({ reason: why, places: [] })
  })
})
