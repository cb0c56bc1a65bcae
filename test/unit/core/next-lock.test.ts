import { expect, test } from 'vitest'
import { nextLock, type NextLockRequest } from '../../../src/core/next-lock.ts'
import type { Lock, PartId } from '../../../src/core/prompt.ts'
import {
  isReadable,
  listedParts,
  type PromptSummary,
  type Readable,
  type RefusedPart,
} from '../../../src/core/service.ts'
import { partsOf, pinned } from '../../helpers/pinned.ts'

const KEYS = {
  both: { live: 'all', staging: true },
  live: { live: 'all', staging: false },
  test: { live: 'unstaged', staging: true },
} as const satisfies Record<string, Readable>

/** What the service lists for the prompt `a`: its live and its staging label, or nothing. */
function list(labels: string): PromptSummary[] {
  const [liveVersion, stagingVersion = null] = labels.split(' ')
  const settings = { slug: 'a', folder: 'f', model: 'm' }
  return liveVersion ? [{ ...settings, liveVersion, stagingVersion }] : []
}

/**
 * What a read gives: the parts that the keys can read, whose text is their label. Parts that stay as they
 * were have a `=` behind them, and what is kept its reason, its own and the listed label.
 */
function next(
  given: string,
  keys: keyof typeof KEYS,
  labels: string,
  request: NextLockRequest = {},
  refused?: readonly RefusedPart[],
): string {
  const readable = KEYS[keys]
  const entries = list(labels)
  const parts = entries.flatMap((entry) =>
    listedParts(entry)
      .filter((part) => isReadable(entry, part, readable))
      .map((part) => pinned({ ...part, model: part.model ?? '', system: 'read' })),
  )
  const nameOf = ({ slug, environment }: PartId) => `${slug}${environment === 'test' ? '*' : ''}`
  const before: Lock = { parts: partsOf(given) }
  const { lock, kept } = nextLock(before, { entries, readable, parts, refused }, request)
  return [
    ...lock.parts.map(
      (part) => `${nameOf(part)}${part.version.slice(1)}${part.system === 'read' ? '' : '='}`,
    ),
    ...kept.map((part) =>
      [nameOf(part), part.reason, `${part.version}`, `${part.listed}`, part.refused ?? []]
        .flat()
        .join(' '),
    ),
  ].join(', ')
}

test.each([
  ['both', 'reads both parts', '', 'v1 v2', 'a1, a*2'],
  ['both', 'updates both parts', 'a1 a*2', 'v3 v4', 'a3, a*4'],
  ['both', 'removes what was published', 'a1 a*2', 'v2', 'a2'],
  ['both', 'removes what was discarded', 'a1 a*2', 'v1', 'a1'],
  ['both', 'leaves out a staging part that is the live one', 'a1 a*2', 'v2 v2', 'a2'],
  ['both', 'keeps a held staging part that is the live one', 'a1 a*1!', 'v1 v1', 'a1, a*1='],
  ['test', 'keeps a held staging part that equals the live one', 'a1 a*1!', 'v1 v1', 'a1=, a*1='],
  ['both', 'removes a prompt that the list does not have', 'a1 a*2', '', ''],
  ['live', 'reads the live part and names the other one', '', 'v1 v2', 'a1, a* unread null v2'],
  ['live', 'keeps a staging part with the listed label', 'a1 a*2', 'v3 v2', 'a3, a*2='],
  [
    'live',
    'names a staging part with another label',
    'a1 a*2',
    'v1 v4',
    'a1, a*2=, a* unread v2 v4',
  ],
  ['live', 'removes what was published', 'a1 a*2', 'v2', 'a2'],
  ['test', 'reads the staging part and names the other one', '', 'v1 v2', 'a*2, a unread null v1'],
  ['test', 'reads the live version where nothing is staged', '', 'v1', 'a1'],
  ['test', 'keeps a live part with the listed label', 'a1', 'v1 v2', 'a1=, a*2'],
  ['test', 'names a live part with another label', 'a1', 'v3 v4', 'a1=, a*4, a unread v1 v3'],
  ['test', 'reads what was published', 'a1 a*2', 'v2', 'a2'],
  ['both', 'removes what was published beside a held part', 'a1! a*2', 'v2', 'a1='],
  ['live', 'reads the live part of what was published with only a test key', 'a*2', 'v2', 'a2'],
  ['both', 'keeps a held part while the other goes on', 'a1 a*2!', 'v3 v4', 'a3, a*2='],
  ['both', 'keeps a held part that is not staged any more', 'a1 a*2!', 'v3', 'a3, a*2='],
  ['both', 'keeps a held part that is not listed any more', 'a1 a*2!', '', 'a*2='],
] as const)('a read with the key(s) “%s” %s', (keys, _, given, labels, want) => {
  expect(next(given, keys, labels)).toBe(want)
})

test('a staging part never ends while the lock has no live part', () => {
  const isRequested: NextLockRequest['isRequested'] = ({ environment }) => environment === 'test'
  expect(next('a*2', 'live', 'v2', { isRequested })).toBe('a*2=')
  expect(next('a1 a*2', 'live', 'v2', { isRequested })).toBe('a1=')
  const refused = [{ slug: 'a', environment: 'live', version: 'v2', refused: 'No text.' }] as const
  expect(next('a*2', 'both', 'v2', {}, refused)).toBe('a*2=, a refused null v2 No text.')
  expect(next('a*2', 'both', '', {}, refused)).toBe('')
})

test('a needless staging part goes, whoever has left it, unless it is held', () => {
  const isRequested: NextLockRequest['isRequested'] = () => false
  expect(next('a1 a*1', 'live', 'v1 v1', { isRequested })).toBe('a1=')
  expect(next('a1 a*1!', 'live', 'v1 v1', { isRequested })).toBe('a1=, a*1=')
})

test('a part stays as it is if nobody asked for it', () => {
  const isRequested: NextLockRequest['isRequested'] = ({ slug }) => slug !== 'a'
  expect(next('a1 a*2', 'both', 'v3 v4', { isRequested })).toBe('a1=, a*2=')
})

test('without staging, a lock has live parts only, except for held ones', () => {
  expect(next('a1 a*2', 'live', 'v1 v4', { staging: false })).toBe('a1')
  expect(next('a1 a*2!', 'live', 'v1 v4', { staging: false })).toBe('a1, a*2=')
})

test('a part that does not fit stays as it is and has the reason, unless the list has another version', () => {
  const refused = [{ slug: 'a', environment: 'live', version: 'v2', refused: 'No text.' }] as const
  expect(next('a1', 'both', 'v2', {}, refused)).toBe('a1=, a refused v1 v2 No text.')
  expect(next('a1', 'both', 'v3', {}, refused)).toBe('a3')
  expect(next('a1', 'test', 'v3 v4', {}, refused)).toBe('a1=, a*4, a unread v1 v3')
})
