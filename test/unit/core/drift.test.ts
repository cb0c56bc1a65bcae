import { describe, expect, test } from 'vitest'
import { describeEffects } from '../../../src/core/describe-change.ts'
import { heldPrompts, listDifferences } from '../../../src/core/drift.ts'
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

const READABLE = { live: 'all', staging: true } as const

describe('the differences between a lock and a list', () => {
  test.each([
    { title: 'nothing', entry: listed({ stagingVersion: 'v22' }), want: [] },
    { title: 'the version', entry: listed({ liveVersion: 'v23' }), want: ['text not read'] },
    {
      title: 'folder and model',
      entry: listed({ folder: 'f', model: 'm' }),
      want: ['model gpt-5 → m, folder support → f, text not read'],
    },
  ])('tells that $title differs', ({ entry, want }) => {
    const { rows } = listDifferences(liveLock({}), { entries: [entry], readable: READABLE })
    expect(rows.map((row) => describeEffects(row, String))).toStrictEqual(want)
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

  test('is given with what the service has, if it was asked', () => {
    expect(heldPrompts(lock, entries)).toMatchObject([
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
    const [first] = heldPrompts(lock)
    expect(first).toEqual({ slug: 'a', environment: 'live', reason: 'Legal', version: 'v22' })
  })
})
