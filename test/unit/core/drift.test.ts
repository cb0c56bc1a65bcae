import { expect, test } from 'vitest'
import { describeEffects } from '../../../src/core/describe-change.ts'
import { heldPrompts, listDifferences, listedPrompts } from '../../../src/core/drift.ts'
import type { PromptSummary } from '../../../src/core/service.ts'
import { partKey } from '../../../src/core/prompt.ts'
import { liveLock, lockOf, pinned } from '../../helpers/pinned.ts'

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

test.each([
  ['the staging label of the live version', { stagingVersion: 'v22' }, []],
  ['another live label', { liveVersion: 'v23' }, ['text not fetched']],
  [
    'other settings',
    { folder: 'f', model: 'm', stagingVersion: 'v22' },
    ['model gpt-5 → m, folder support → f, text not fetched'],
  ],
])('with %s, a lock differs from the list by %j', (_, fields, want) => {
  const readable = { live: 'all', staging: true } as const
  const { rows } = listDifferences(liveLock({}), { entries: [listed(fields)], readable })
  expect(rows.map((row) => describeEffects(row, String))).toStrictEqual(want)
})

test('a staging part keeps its settings under the label of the live version, so no pull is due', () => {
  const staging = [{ version: 'v22', model: 'other', folder: 'drafts', system: 'Draft.' }]
  const held = [{ ...staging[0], held: { reason: 'Legal.' } }]
  const entries = [listed({ stagingVersion: 'v22' })]
  const readable = { live: 'all', staging: true } as const
  const { rows } = listDifferences(lockOf({ live: [{}], staging }), { entries, readable })
  expect(rows).toStrictEqual([])
  expect(heldPrompts(lockOf({ live: [{}], staging: held }), entries)).toMatchObject([
    { update: null },
  ])
})

test.each([
  ['v23', ['system text changed']],
  ['v22', ['text not fetched']],
])('with a list of v23 and the text of %s, a lock of v22 differs by %j', (version, want) => {
  const [part = pinned()] = liveLock({ version, system: 'New.' }).parts
  const answer = {
    entries: [listed({ liveVersion: 'v23' })],
    read: new Map([[partKey(part), part]]),
  }
  const readable = { live: 'all', staging: true } as const
  const { rows } = listDifferences(liveLock({}), { ...answer, readable })
  expect(rows.map((row) => describeEffects(row, String))).toStrictEqual(want)
})

test('what a list does not have is pinned, of the live part for a new draft, or empty', () => {
  const lock = lockOf({
    live: ['a', 'b'].map((slug) => ({ slug, system: 'Live.' })),
    staging: [{ slug: 'b', system: 'Draft.' }],
  })
  const entries = ['a', 'b'].map((slug) => listed({ slug, folder: 'f', stagingVersion: 'v23' }))
  const added = listed({ slug: 'c', model: undefined })
  const draft = { environment: 'test', folder: 'support', model: 'gpt-5', version: 'v23' }
  const empty = { model: '', temperature: null, system: '', user: '', source: '' }
  expect(listedPrompts(lock, [...entries, added])).toMatchObject([
    { slug: 'a', folder: 'f', system: 'Live.', version: 'v22' },
    { slug: 'a', ...draft, system: 'Live.' },
    { slug: 'b', folder: 'f', system: 'Live.', version: 'v22' },
    { slug: 'b', ...draft, system: 'Draft.' },
    { slug: 'c', folder: 'support', ...empty, version: 'v22' },
  ])
  expect(listedPrompts(lock, [listed({ slug: 'a', model: undefined })])).toMatchObject([
    { slug: 'a', model: 'gpt-5' },
  ])
})

test('a held prompt is listed with what the service has, if it was asked', () => {
  const held = { held: { reason: 'Legal' } }
  const lock = liveLock(...['a', 'b', 'c'].map((slug) => ({ slug, ...held })), { slug: 'd' })
  const entries = [
    listed({ slug: 'a' }),
    listed({ slug: 'b', liveVersion: 'v23' }),
    listed({ slug: 'd', liveVersion: 'v23' }),
  ]
  const update = { kind: 'updated', class: 'unread', version: { before: 'v22', after: 'v23' } }
  expect(heldPrompts(lock, entries)).toMatchObject([
    { slug: 'a', reason: 'Legal', version: 'v22', update: null },
    { slug: 'b', update: { slug: 'b', ...update, effects: [{ kind: 'unread' }], places: [] } },
    { slug: 'c', update: { slug: 'c', kind: 'removed' } },
  ])
  const [first] = heldPrompts(lock)
  expect(first).toEqual({ slug: 'a', environment: 'live', reason: 'Legal', version: 'v22' })
})
