import { describe, expect, test } from 'vitest'
import { describeEffects } from '../../../src/core/describe-change.ts'
import { findDrift, heldPrompts } from '../../../src/core/drift.ts'
import type { PromptSummary } from '../../../src/core/service.ts'
import { liveLock } from '../../helpers/pinned.ts'

/** A list entry that matches the prompt of `pinned`, except for the given fields. */
function listed(fields: Partial<PromptSummary> = {}): PromptSummary {
  return {
    slug: 'support-triage',
    folder: 'support',
    model: 'gpt-5',
    liveVersion: 'v22',
    stagingVersion: null,
    ...fields,
  }
}

describe('driftOf', () => {
  test.each([
    { title: 'nothing', entry: listed({ stagingVersion: 'v23' }), want: [] },
    { title: 'the version', entry: listed({ liveVersion: 'v23' }), want: ['text not read'] },
    {
      title: 'folder and model',
      entry: listed({ folder: 'f', model: 'm' }),
      want: ['model gpt-5 → m, folder support → f, text not read'],
    },
  ])('tells that $title differs', ({ entry, want }) => {
    const drift = findDrift(liveLock({}), [entry])
    expect(drift.map((row) => describeEffects(row, String))).toStrictEqual(want)
  })

  test('returns both values of a difference', () => {
    const lock = liveLock({ slug: 'a' }, { slug: 'b', model: 'old' })
    const [b, c] = [listed({ slug: 'b' }), listed({ slug: 'c' })]
    expect(findDrift(lock, [c, b])).toMatchObject([
      { kind: 'removed', slug: 'a', class: 'contract' },
      {
        kind: 'updated',
        slug: 'b',
        effects: [{ field: 'model', before: 'old', after: 'gpt-5' }, { kind: 'unread' }],
      },
      { kind: 'added', slug: 'c', version: { before: null, after: 'v22' } },
    ])
  })

  test('uses the staging version in the test environment if there is one', () => {
    const lock = { ...liveLock({ version: 'v23' }, { slug: 'b' }), environment: 'test' } as const
    const entries = [listed({ stagingVersion: 'v23' }), listed({ slug: 'b' })]
    expect(findDrift(lock, entries)).toStrictEqual([])
  })

  test('finds added and removed prompts, sorted by slug', () => {
    const drift = findDrift(liveLock({ slug: 'b' }), [listed({ slug: 'c' }), listed({ slug: 'a' })])
    expect(drift.map(({ kind, slug }) => `${kind} ${slug}`)).toStrictEqual([
      'added a',
      'removed b',
      'added c',
    ])
  })
})

describe('a held prompt', () => {
  const held = { held: { reason: 'Legal' } }
  const lock = liveLock(
    { slug: 'a', ...held },
    { slug: 'b', ...held },
    { slug: 'c', ...held },
    { slug: 'd' },
  )
  const entries = [
    listed({ slug: 'a' }),
    listed({ slug: 'b', liveVersion: 'v23' }),
    listed({ slug: 'd', liveVersion: 'v23' }),
  ]

  test('is never drift, whatever the service has', () => {
    expect(findDrift(lock, entries).map(({ slug }) => slug)).toEqual(['d'])
  })

  test('is given with what the service has, if it was asked', () => {
    const { environment } = lock
    expect(heldPrompts(lock, { entries, environment })).toMatchObject([
      { slug: 'a', reason: 'Legal', version: 'v22', update: null },
      {
        slug: 'b',
        reason: 'Legal',
        version: 'v22',
        update: {
          slug: 'b',
          kind: 'updated',
          class: 'unread',
          version: { before: 'v22', after: 'v23' },
          effects: [{ kind: 'unread' }],
          places: [],
          reason: null,
        },
      },
      { slug: 'c', reason: 'Legal', version: 'v22', update: { slug: 'c', kind: 'removed' } },
    ])
    expect(heldPrompts(lock)[0]).toEqual({ slug: 'a', reason: 'Legal', version: 'v22' })
  })
})
