import { describe, expect, test } from 'vitest'
import { applyChanges, comparePrompts } from '../../../src/core/compare.ts'
import {
  classifyChanges,
  classifySnapshots,
  riskyChanges,
} from '../../../src/core/classify-change.ts'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { pinned } from '../../helpers/pinned.ts'

const cases: { given: string; after: Partial<PinnedPrompt>; want: string; effects: string[] }[] = [
  {
    given: 'a new variable',
    after: text('{{ a }} {{ b }} {{ c }}'),
    want: 'contract',
    effects: ['variable-added', 'text'],
  },
  {
    given: 'a renamed variable',
    after: text('{{ a }} {{ c }}'),
    want: 'contract',
    effects: ['variable-renamed', 'text'],
  },
  {
    given: 'a removed variable',
    after: text('{{ a }}'),
    want: 'contract',
    effects: ['variable-removed', 'text'],
  },
  { given: 'other words', after: text('{{ a }}, {{ b }}'), want: 'text', effects: ['text'] },
  {
    given: 'a user text where there was none',
    after: { ...text('{{ a }} {{ b }}'), user: 'Now.' },
    want: 'contract',
    effects: ['roles', 'text'],
  },
  {
    given: 'other words and another model',
    after: { ...text('{{ a }}, {{ b }}'), model: 'x' },
    want: 'contract',
    effects: ['setting', 'text'],
  },
  {
    given: 'another model',
    after: { ...text('{{ a }} {{ b }}'), model: 'x' },
    want: 'contract',
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

  test.each(cases)('of $given can break the app if it concerns the contract', ({ after, want }) => {
    const changes = comparePrompts([pinned(text('{{ a }} {{ b }}'))], [pinned(after)])
    expect(riskyChanges(changes)).toHaveLength(want === 'contract' ? 1 : 0)
  })

  test('that adds a prompt can break the app, unless there was none before', () => {
    const [one, two] = [pinned({ slug: 'a' }), pinned({ slug: 'b' })]
    expect(riskyChanges(comparePrompts([one], [one, two]))).toMatchObject([{ slug: 'b' }])
    expect(riskyChanges(comparePrompts([], [one, two]))).toEqual([])
  })

  test('that removes a prompt is one of the contract', () => {
    const changes = classifySnapshots([pinned({ slug: 'a' })], [pinned({ slug: 'b' })])
    expect(changes.map((change) => change.class)).toEqual(['contract', 'added'])
  })

  test('is breaking only if a line of the app is known to stop compiling', () => {
    const changes = comparePrompts([pinned(text('{{ a }}'))], [pinned(text('{{ b }}'))])
    const [{ slug = '' } = {}] = changes
    expect(classifyChanges(changes, [{ slug }]).map((change) => change.class)).toEqual(['breaking'])
    expect(classifyChanges(changes, [{ slug: null }]).map((change) => change.class)).toEqual([
      'contract',
    ])
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
