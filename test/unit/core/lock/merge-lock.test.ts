import { describe, expect, test } from 'vitest'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import { recoverLock } from '../../../../src/core/lock/merge-lock.ts'
import type { Lock, PinnedPrompt } from '../../../../src/core/prompt.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { liveLock } from '../../../helpers/pinned.ts'

type Prompts = readonly Partial<PinnedPrompt>[]

function print(prompts: Prompts): string {
  return printLock(liveLock(...prompts), sha256)
}

/** Both sides as one conflict over the whole file, with the base in diff3 style. */
function conflict(ours: Prompts, theirs: Prompts, base?: Prompts): string {
  const before = base === undefined ? '' : `||||||| base\n${print(base)}`
  return conflictOf(`${print(ours)}${before}`, print(theirs))
}

function conflictOf(ours: string, theirs: string): string {
  return `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> main\n`
}

/** `slug@version` of what is merged, with `!` for held prompts, and `?slug` of what is not. */
function merged(text: string): string[] | string {
  const found = recoverLock(text, sha256)
  if (typeof found === 'string') return found
  const versions = found.merged.map(
    ({ slug, version, held }) => `${slug}@${version}${held === undefined ? '' : '!'}`,
  )
  return [...versions, ...found.conflicting.map((slug) => `?${slug}`)]
}

const a1 = { slug: 'a', version: 'v1' }
const a2 = { slug: 'a', version: 'v2' }
const a3 = { slug: 'a', version: 'v3' }
const b1 = { slug: 'b', version: 'v1' }
const b2 = { slug: 'b', version: 'v2' }
const b3 = { slug: 'b', version: 'v3' }
const held = { held: { reason: 'Legal' } }

describe('with a base, each entry comes from the side that changed it', () => {
  test.each([
    ['one side each', [a2, b1], [a1, b2], [a1, b1], ['a@v2', 'b@v2']],
    ['both the same', [a2], [a2], [a1], ['a@v2']],
    ['both differently', [a2, b1], [a3, b1], [a1, b1], ['b@v1', '?a']],
    ['added on one side', [a1, b1], [a1], [a1], ['a@v1', 'b@v1']],
    ['added on both sides', [a1, b1], [a1, b2], [a1], ['a@v1', '?b']],
    ['removed on one side', [a1], [a1, b1], [a1, b1], ['a@v1']],
    ['removed on one side and changed on the other', [a1], [a1, b2], [a1, b1], ['a@v1', '?b']],
    ['held on one side and changed on the other', [{ ...a1, ...held }], [a2], [a1], ['a@v1!']],
    ['released on one side', [a1], [{ ...a1, ...held }], [{ ...a1, ...held }], ['a@v1']],
  ])('%s', (_, ours, theirs, base, want) => {
    expect(merged(conflict(ours, theirs, base))).toEqual(want)
    expect(merged(conflict(theirs, ours, base))).toEqual(want)
  })
})

describe('two different holds of one prompt', () => {
  const waiting = { ...b2, held: { reason: 'waiting for legal' } }
  const rollback = { ...b1, held: { reason: 'incident' } }

  test.each([
    ['of two versions', waiting, rollback],
    ['of one version', waiting, { ...b2, held: { reason: 'other' } }],
  ])('are left to the user, whichever branch is merged into the other: %s', (_, one, other) => {
    for (const base of [undefined, [a1, b2], [a1]]) {
      expect(merged(conflict([a1, one], [a1, other], base))).toBe('held')
      expect(merged(conflict([a1, other], [a1, one], base))).toBe('held')
    }
  })

  test('are one hold if they are equal, and a hold that only one branch changed is taken', () => {
    expect(merged(conflict([waiting], [waiting], [b2]))).toEqual(['b@v2!'])
    expect(merged(conflict([waiting], [rollback], [rollback]))).toEqual(['b@v2!'])
  })
})

describe('with the committed sides, what a person has resolved in the text stays', () => {
  const waiting = { ...a1, held: { reason: 'waiting' } }
  const sides = { base: print([a1, b1]), ours: print([waiting, b2]), theirs: print([a2, b3]) }

  /** The entry `b` in conflict, after these entries. */
  function half(before: Prompts): string {
    const [one, other] = [print([...before, b2]), print([...before, b3])].map((text) => {
      const start = text.indexOf('    {\n      "slug": "b"')
      return [text.slice(0, start), text.slice(start, text.lastIndexOf('  ]\n'))] as const
    })
    const markers = `<<<<<<< HEAD\n${one?.[1]}=======\n${other?.[1]}>>>>>>> main\n`
    return `${one?.[0]}${markers}  ]\n}\n`
  }

  function recovered(text: string): string[] | string {
    const lock = recoverLock(text, sha256, sides)
    if (typeof lock === 'string') return lock
    const versions = lock.merged.map(
      ({ slug, version, held: hold }) => `${slug}@${version}${hold === undefined ? '' : '!'}`,
    )
    return [...versions, ...lock.conflicting.map((slug) => `?${slug}`)]
  }

  test.each([
    ['the side without the hold', [a2], ['a@v2', '?b']],
    ['the side with the hold', [waiting], ['a@v1!', '?b']],
    ['neither side', [a3], ['a@v3', '?b']],
    ['the removal of the prompt', [], ['?b']],
  ])('%s', (_, before, want) => {
    expect(recovered(half(before))).toEqual(want)
    expect(recovered(half(before).replaceAll('\n', '\r\n'))).toEqual(want)
  })

  test('but not an entry whose hash is wrong, which is merged from the sides', () => {
    expect(recovered(half([a2]).replace('"v2"', '"v9"'))).toEqual(['a@v1!', '?b'])
  })
})

describe('without a base, an entry that only one side has is kept', () => {
  test.each([
    ['equal on both sides', [a1], [a1], ['a@v1']],
    ['on one side only', [a1, b1], [a1], ['a@v1', 'b@v1']],
    ['different', [a1, b1], [a2, b1], ['b@v1', '?a']],
    ['held on one side', [{ ...a1, ...held }], [a2], ['a@v1!']],
  ])('%s', (_, ours, theirs, want) => {
    expect(merged(conflict(ours, theirs))).toEqual(want)
    expect(merged(conflict(theirs, ours))).toEqual(want)
  })
})

describe('the merged prompts are complete', () => {
  test('with all their fields and marks', () => {
    const lock = liveLock({ ...a2, system: '<<<<<<< x\n=======\n', ...held }, b1)
    expect(recoverLock(conflict(lock.prompts, [a1, b1], [a1, b1]), sha256)).toEqual({
      environment: 'live',
      ours: lock.prompts,
      merged: lock.prompts,
      conflicting: [],
    })
  })

  test('also of a formatted lock, and in a CRLF checkout', () => {
    const text = conflict([a2, b1], [a1, b2], [a1, b1])
    expect(merged(text.replaceAll('\n', '\r\n'))).toEqual(['a@v2', 'b@v2'])
    expect(merged(text.replaceAll('\n  ', '\n\t'))).toEqual(['a@v2', 'b@v2'])
  })

  test('an entry into which git mixed the lines of both sides is read again', () => {
    const text = print([a1, b1])
    const mixed = text.replace('"v1"', '"v9"')
    expect(
      merged(`${mixed.replace('  "prompts"', '<<<<<<< x\n=======\n>>>>>>> y\n  "prompts"')}`),
    ).toEqual(['b@v1', '?a'])
  })
})

describe('a held entry into which git mixed the lines of the other side', () => {
  test('is left to the user, since its text is not there any more', () => {
    const mixed = print([{ ...a1, ...held }]).replace('"v1"', '"v2"')
    expect(merged(conflictOf(mixed, print([a2])))).toBe('held')
    expect(merged(conflictOf(print([a2]), mixed))).toBe('held')
  })
})

test('the locks of staging are merged too', () => {
  const staging = print([a1]).replace('"live"', '"test"')
  expect(recoverLock(conflictOf(staging, staging), sha256)).toMatchObject({ environment: 'test' })
})

describe('a side that is not JSON, because git mixed its lines', () => {
  const broken = (prompts: Prompts): string => print(prompts).replace('    },', '    }')

  test('is read entry by entry', () => {
    expect(merged(conflictOf(broken([a1, b1]), print([a2, b1])))).toEqual(['b@v1', '?a'])
    const names = [{ slug: 'support-triage' }, b1]
    expect(merged(conflictOf(broken(names), print(names)))).toEqual(['b@v1', 'support-triage@v22'])
  })

  test('is no base', () => {
    const base = `||||||| base\n${print([a1]).replace('"environment"', '"other"')}`
    expect(merged(conflictOf(`${print([a2])}${base}`, print([a1, b1])))).toEqual(['b@v1', '?a'])
  })

  test.each([
    ['an entry twice', /\[(\n {4}\{[^]*?\n {4}\})/, '[$1,$1', ['b@v1', '?a']],
    ['an entry without its end', /"integrity".*/, '', ['b@v1', '?a']],
    ['an entry without a slug', /"slug": "a",/, '', 'unreadable'],
    ['no environment', /"environment".*/, '', 'unreadable'],
  ])('can have %s', (_, from, to, want) => {
    const sides = [broken([a1, b1]).replace(from, to), print([a1, b1])] as const
    expect(merged(conflictOf(sides[0], sides[1]))).toEqual(want)
    expect(merged(conflictOf(sides[1], sides[0]))).toEqual(want)
    expect(merged(conflictOf(sides[0], sides[0]))).toEqual(want)
  })

  test.each([
    ['a held entry twice', /\[(\n {4}\{[^]*?\n {4}\})/, '[$1,$1'],
    [
      'an entry twice, once held',
      /\[(\n {4}\{[^]*?)(,\n {6}"held"[^]*?\n {6}\})([^]*?\n {4}\})/,
      '[$1$3,$1$2$3,$1$3',
    ],
    ['a held entry without a slug', /"slug": "a",/, ''],
  ])('does not lose the hold of %s', (_, from, to) => {
    const text = broken([{ ...a1, ...held }, b1])
    expect(text.replace(from, to)).not.toBe(text)
    expect(merged(conflictOf(text.replace(from, to), print([a1, b1])))).toBe('held')
    expect(merged(conflictOf(print([a1, b1]), text.replace(from, to)))).toBe('held')
  })
})

describe('an edited lock without markers', () => {
  test('keeps the intact entries', () => {
    expect(merged(print([a1, { ...b1, ...held }]).replace('"v1"', '"v9"'))).toEqual(['b@v1!', '?a'])
  })

  test('is not recovered if a held entry was edited', () => {
    expect(merged(print([a1, { ...b1, ...held }]).replace('Legal', 'Other'))).toBe('held')
  })
})

describe('a conflict with invalid markers is not merged', () => {
  const staging: Lock = { environment: 'test', prompts: liveLock(a1).prompts }
  const UNREADABLE = [
    ['no separator', `<<<<<<< HEAD\n${print([a1])}`],
    ['no end', `<<<<<<< HEAD\n${print([a1])}=======\n${print([a2])}`],
    ['a separator alone', `=======\n${print([a1])}`],
    [
      'two environments',
      `<<<<<<< HEAD\n${print([a1])}=======\n${printLock(staging, sha256)}>>>>>>> main\n`,
    ],
  ] as const

  test.each(UNREADABLE)('%s', (_, text) => {
    expect(merged(text)).toBe('unreadable')
  })

  test.each(UNREADABLE)('and does not lose a hold: %s', (_, text) => {
    const marked = text.replace(print([a1]), print([{ ...a1, ...held }]))
    const complete = marked === text ? `${text}${print([{ ...a1, ...held }])}` : marked
    expect(merged(complete)).toBe('held')
    expect(merged(complete.replaceAll('  ', '\t'))).toBe('held')
    expect(merged(complete.replaceAll(/\n +/g, ' '))).toBe('held')
    expect(merged(complete.replaceAll(': ', ':'))).toBe('held')
    expect(merged(complete.replaceAll(': ', ' : '))).toBe('held')
  })

  test('a formatted side that is not JSON keeps its hold', () => {
    const side = print([{ ...a1, ...held }]).replace('"folder"', '}')
    const text = conflictOf(side, print([a2]))
    expect(merged(text)).toBe('held')
    expect(merged(text.replaceAll('  ', '\t'))).toBe('held')
  })

  test('a text that looks like a hold is not one', () => {
    expect(merged(`=======\n${print([{ ...a1, system: '"held": {' }])}`)).toBe('unreadable')
  })
})
