import { describe, expect, test } from 'vitest'
import { applyChanges, comparePrompts } from '../../../src/core/compare.ts'
import { classifySnapshots, riskyChanges } from '../../../src/core/classify-change.ts'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { pinned } from '../../helpers/pinned.ts'

const cases: { given: string; after: Partial<PinnedPrompt>; want: string; effects: string[] }[] = [
  {
    given: 'a new variable',
    after: text('{{ a }} {{ b }} {{ c }}'),
    want: 'breaking',
    effects: ['variable-added', 'text'],
  },
  {
    given: 'a renamed variable',
    after: text('{{ a }} {{ c }}'),
    want: 'breaking',
    effects: ['variable-renamed', 'text'],
  },
  {
    given: 'a removed variable',
    after: text('{{ a }}'),
    want: 'soft',
    effects: ['variable-removed', 'text'],
  },
  { given: 'other words', after: text('{{ a }}, {{ b }}'), want: 'text', effects: ['text'] },
  {
    given: 'another user text',
    after: { ...text('{{ a }} {{ b }}'), user: 'Now.' },
    want: 'text',
    effects: ['text'],
  },
  {
    given: 'other words and another model',
    after: { ...text('{{ a }}, {{ b }}'), model: 'x' },
    want: 'text',
    effects: ['text', 'setting'],
  },
  {
    given: 'another model',
    after: { ...text('{{ a }} {{ b }}'), model: 'x' },
    want: 'settings',
    effects: ['setting'],
  },
  {
    given: 'another label',
    after: { ...text('{{ a }} {{ b }}'), version: 'v9' },
    want: 'settings',
    effects: ['setting'],
  },
]

describe('a change', () => {
  test.each(cases)('of $given is $want', ({ after, want, effects }) => {
    const [found] = classifySnapshots([pinned(text('{{ a }} {{ b }}'))], [pinned(after)])
    expect(found?.class).toBe(want)
    expect(found?.effects.map(({ kind }) => kind)).toEqual(effects)
  })

  test.each(cases)(
    'of $given can break the app if it concerns the contract',
    ({ given, after }) => {
      const changes = comparePrompts([pinned(text('{{ a }} {{ b }}'))], [pinned(after)])
      expect(riskyChanges(changes)).toHaveLength(/variable|model/.test(given) ? 1 : 0)
    },
  )

  test('that adds a prompt can break the app, unless there was none before', () => {
    const [one, two] = [pinned({ slug: 'a' }), pinned({ slug: 'b' })]
    expect(riskyChanges(comparePrompts([one], [one, two]))).toMatchObject([{ slug: 'b' }])
    expect(riskyChanges(comparePrompts([], [one, two]))).toEqual([])
  })

  test('that removes a prompt breaks, and one that adds one does not', () => {
    const changes = classifySnapshots([pinned({ slug: 'a' })], [pinned({ slug: 'b' })])
    expect(changes.map((change) => change.class)).toEqual(['breaking', 'added'])
  })

  test('unchanged prompts are left out', () => {
    expect(classifySnapshots([pinned()], [pinned()])).toEqual([])
  })
})

test('applying the changes between two snapshots returns the second one', () => {
  const before = [pinned({ slug: 'a' }), pinned({ slug: 'b' }), pinned({ slug: 'd' })]
  const after = [pinned({ slug: 'b', version: 'v9' }), pinned({ slug: 'c' }), pinned({ slug: 'd' })]
  expect(applyChanges(before, comparePrompts(before, after))).toEqual(after)
})

function text(system: string): Partial<PinnedPrompt> {
  return { system, source: system }
}
