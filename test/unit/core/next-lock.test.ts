import { describe, expect, test } from 'vitest'
import { nextLock, type NextLockRequest } from '../../../src/core/next-lock.ts'
import { describePart } from '../../../src/core/prompt.ts'
import {
  isReadable,
  listedParts,
  type PromptSummary,
  type Readable,
} from '../../../src/core/service.ts'
import { type GivenLock, lockOf, pinned } from '../../helpers/pinned.ts'

const KEYS = {
  both: { live: 'all', staging: true },
  live: { live: 'all', staging: false },
  test: { live: 'unstaged', staging: true },
} as const satisfies Record<string, Readable>

/** Lists the prompt `a` with these labels. */
function list(liveVersion: string, stagingVersion: string | null): PromptSummary[] {
  return [{ slug: 'a', folder: 'f', model: 'm', liveVersion, stagingVersion }]
}

/** What a read gives: the parts that the keys can read, whose text is their label. */
function next(
  given: GivenLock,
  keys: keyof typeof KEYS,
  entries: readonly PromptSummary[],
  request: NextLockRequest = {},
): string[] {
  const readable = KEYS[keys]
  const parts = entries.flatMap((entry) =>
    listedParts(entry)
      .filter((part) => isReadable(entry, part, readable))
      .map((part) => pinned({ ...part, model: part.model ?? '', system: 'read' })),
  )
  const { lock, kept } = nextLock(lockOf(given), { entries, readable, parts }, request)
  return [
    ...lock.parts.map(
      (part) =>
        `${describePart(part)} ${part.version}${part.system === 'read' ? '' : ' as pinned'}`,
    ),
    ...kept.map((part) => `${describePart(part)} ${part.reason} ${part.version} ${part.listed}`),
  ]
}

const v1 = { slug: 'a', version: 'v1' }
const v2 = { slug: 'a', version: 'v2' }
const held = { reason: 'Legal' }

describe.each([
  [
    'both keys',
    'both',
    [
      ['reads both parts', {}, list('v1', 'v2'), ['a v1', 'a (staging) v2']],
      [
        'updates both parts',
        { live: [v1], staging: [v2] },
        list('v3', 'v4'),
        ['a v3', 'a (staging) v4'],
      ],
      ['removes what was published', { live: [v1], staging: [v2] }, list('v2', null), ['a v2']],
      ['removes what was discarded', { live: [v1], staging: [v2] }, list('v1', null), ['a v1']],
      ['takes an equal label for none', { live: [v1], staging: [v2] }, list('v2', 'v2'), ['a v2']],
      ['removes a prompt that the list does not have', { live: [v1], staging: [v2] }, [], []],
    ],
  ],
  [
    'a live key',
    'live',
    [
      [
        'reads the live part and names the other one',
        {},
        list('v1', 'v2'),
        ['a v1', 'a (staging) unread null v2'],
      ],
      [
        'keeps a staging part with the label of the list',
        { live: [v1], staging: [v2] },
        list('v3', 'v2'),
        ['a v3', 'a (staging) v2 as pinned'],
      ],
      [
        'names a staging part with another label',
        { live: [v1], staging: [v2] },
        list('v1', 'v4'),
        ['a v1', 'a (staging) v2 as pinned', 'a (staging) unread v2 v4'],
      ],
      ['removes what was published', { live: [v1], staging: [v2] }, list('v2', null), ['a v2']],
    ],
  ],
  [
    'a test key',
    'test',
    [
      [
        'reads the staging part and names the other one',
        {},
        list('v1', 'v2'),
        ['a (staging) v2', 'a unread null v1'],
      ],
      ['reads the live version where nothing is staged', {}, list('v1', null), ['a v1']],
      [
        'keeps a live part with the label of the list',
        { live: [v1] },
        list('v1', 'v2'),
        ['a v1 as pinned', 'a (staging) v2'],
      ],
      [
        'names a live part with another label',
        { live: [v1] },
        list('v3', 'v4'),
        ['a v1 as pinned', 'a (staging) v4', 'a unread v1 v3'],
      ],
      ['reads what was published', { live: [v1], staging: [v2] }, list('v2', null), ['a v2']],
    ],
  ],
] as const)('a read with %s', (_, keys, cases) => {
  test.each<(typeof cases)[number]>(cases)('%s', (__, given, entries, want) => {
    expect(next(given, keys, entries)).toEqual(want)
  })
})

describe('what was published stays staged until the lock has the live version', () => {
  const published = 'a (staging) published v2 null'

  test('if the live part is held', () => {
    const given = { live: [{ ...v1, held }], staging: [v2] }
    expect(next(given, 'both', list('v2', null))).toEqual([
      'a v1 as pinned',
      'a (staging) v2 as pinned',
      published,
    ])
  })

  test('if the live part is not to be updated', () => {
    const isRequested: NextLockRequest['isRequested'] = ({ environment }) => environment === 'test'
    const result = next({ live: [v1], staging: [v2] }, 'live', list('v2', null), { isRequested })
    expect(result).toContain(published)
  })
})

describe('a part stays as it is', () => {
  test('if it is held, and the other part goes on', () => {
    const staged = { live: [v1], staging: [{ ...v2, held }] }
    expect(next(staged, 'both', list('v3', 'v4'))).toEqual(['a v3', 'a (staging) v2 as pinned'])
    expect(next(staged, 'both', list('v3', null))).toEqual(['a v3', 'a (staging) v2 as pinned'])
    expect(next(staged, 'both', [])).toEqual(['a (staging) v2 as pinned'])
  })

  test('if nobody asked for it', () => {
    const isRequested: NextLockRequest['isRequested'] = ({ slug }) => slug !== 'a'
    const given = { live: [v1], staging: [v2] }
    expect(next(given, 'both', list('v3', 'v4'), { isRequested })).toEqual([
      'a v1 as pinned',
      'a (staging) v2 as pinned',
    ])
  })
})

test('without staging, a lock has live parts only, except for held ones', () => {
  const given = { live: [v1], staging: [v2] }
  expect(next(given, 'live', list('v1', 'v4'), { staging: false })).toEqual(['a v1'])
  const kept = { live: [v1], staging: [{ ...v2, held }] }
  const result = next(kept, 'live', list('v1', 'v4'), { staging: false })
  expect(result).toEqual(['a v1', 'a (staging) v2 as pinned'])
})
