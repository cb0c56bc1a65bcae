import { expect, test } from 'vitest'
import { changedContracts, slugsByName } from '../../../src/codegen/plan-module.ts'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { liveLock, lockOf } from '../../helpers/pinned.ts'

const A = { slug: 'a-b', system: 'Be {{ x }}.', user: 'Hi' }
const LOCK = liveLock(A, { slug: 'c' })

test.each<[title: string, names: string, ...live: Partial<PinnedPrompt>[]]>([
  ['nothing', '', A],
  ['other words', '', { ...A, system: 'Stay {{ x }}.' }],
  ['another label and folder', '', { ...A, version: 'v23', folder: 'f' }],
  ['another variable', 'a-b aB', { ...A, system: 'Be {{ y }}.' }],
  ['no system text', 'a-b aB', { ...A, system: '', user: '{{ x }}' }],
  ['no user text', 'a-b aB', { ...A, user: '' }],
  ['another model', 'a-b aB', { ...A, model: 'm' }],
  ['another slug of its identifier', 'a-b aB a_b', { ...A, slug: 'a_b' }],
  ['a slug that takes the identifier', 'aB a_b', A, { slug: 'a_b' }],
  ['one more prompt', 'd', A, { slug: 'd' }],
  ['no prompt', 'a-b aB'],
])('with %s, the contracts of the names “%s” are others', (_, names, ...live) => {
  const changes = changedContracts(LOCK, liveLock(...live, { slug: 'c' }))
  expect([...new Set(changes)].join(' ')).toBe(names)
})

test('a contract is compared in both views, under every name', () => {
  const staged = lockOf({ live: [A, { slug: 'c' }], staging: [{ ...A, system: '' }] })
  expect(changedContracts(LOCK, staged)).toEqual(['a-b', 'aB'])
  const names = { 'a-b': 'a-b', aB: 'a-b', c: 'c' }
  expect(Object.fromEntries(slugsByName(staged))).toEqual(names)
  expect(slugsByName(undefined).size).toBe(0)
})
