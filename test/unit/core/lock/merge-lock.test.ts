import { describe, expect, test } from 'vitest'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import { recoverLock } from '../../../../src/core/lock/merge-lock.ts'
import { describePart, type Lock, type PinnedPrompt } from '../../../../src/core/prompt.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { branch, importBranches, mergedTexts } from '../../../helpers/git-repository.ts'
import { liveLock, lockOf, pinned } from '../../../helpers/pinned.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

type Parts = readonly Partial<PinnedPrompt>[]

function print(parts: Parts): string {
  return printLock({ environment: 'live', parts: parts.map(pinned) }, sha256)
}

/** Both sides as one conflict over the whole file, with the base in diff3 style. */
function conflict(ours: Parts, theirs: Parts, base?: Parts): string {
  const before = base === undefined ? '' : `||||||| base\n${print(base)}`
  return conflictOf(`${print(ours)}${before}`, print(theirs))
}

function conflictOf(ours: string, theirs: string): string {
  return `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> main\n`
}

/** `slug@version` of what is merged, with `!` for held parts, and `?slug@versions` of what is not. */
function merged(text: string, committed?: Parameters<typeof recoverLock>[2]): string[] | string {
  const lock = recoverLock(text, sha256, committed)
  if (typeof lock === 'string') return lock
  const versions = lock.merged.map(
    (part) => `${describePart(part)}@${part.version}${part.held === undefined ? '' : '!'}`,
  )
  const conflicts = lock.conflicts.map(
    (part) => `?${describePart(part)}@${part.sides.map(({ version }) => version).join()}`,
  )
  return [...versions, ...conflicts]
}

const held = { held: { reason: 'Legal' } }
const versionsOf = (fields: Partial<PinnedPrompt>) =>
  [
    { ...fields, version: 'v1' },
    { ...fields, version: 'v2' },
    { ...fields, version: 'v3' },
  ] as const
const [a1, a2, a3] = versionsOf({ slug: 'a' })
const [b1, b2, b3] = versionsOf({ slug: 'b' })
const [s1, s2, s3] = versionsOf({ slug: 'a', environment: 'test' })

describe('a part of a conflicted lock', () => {
  test.each([
    ['is taken if both sides have it', [a2], [a2], [a1], ['a@v2']],
    ['is taken from the side that changed it', [a2, b1], [a1, b2], [a1, b1], ['a@v2', 'b@v2']],
    ['is taken from the side that added it', [a1, b1], [a1], [a1], ['a@v1', 'b@v1']],
    ['is removed with the side that removed it', [a1], [a1, b1], [a1, b1], ['a@v1']],
    [
      'is released with the side that did',
      [a1],
      [{ ...a1, ...held }],
      [{ ...a1, ...held }],
      ['a@v1'],
    ],
    ['stays held if the other side updated it', [{ ...a1, ...held }], [a2], [a1], ['a@v1!']],
    ['is open if both sides changed it', [a2, b1], [a3, b1], [a1, b1], ['b@v1', '?a@v2,v3']],
    ['is open if both sides added it', [a1, b1], [a1, b2], [a1], ['a@v1', '?b@v1,v2']],
    ['is open if one side removed it', [a1], [a1, b2], [a1, b1], ['a@v1', '?b@v2']],
    [
      'is open although the other part is not',
      [a2, s2],
      [a1, s3],
      [a1, s1],
      ['a@v2', '?a (staging)@v2,v3'],
    ],
    [
      'is taken from its side, whatever the other part has',
      [a2, s1],
      [a1, s2],
      [a1, s1],
      ['a@v2', 'a (staging)@v2'],
    ],
    [
      'without a base, is kept if only one side has it',
      [a1, s1],
      [a1],
      undefined,
      ['a@v1', 'a (staging)@v1'],
    ],
    [
      'without a base, is open if the sides differ',
      [a1, b1],
      [a2, b1],
      undefined,
      ['b@v1', '?a@v1,v2'],
    ],
    ['without a base, stays held', [{ ...a1, ...held }], [a2], undefined, ['a@v1!']],
  ])('%s', (_, ours, theirs, base, want) => {
    const sorted = (result: string[] | string): unknown =>
      typeof result === 'string'
        ? result
        : result.map((one) =>
            one.replace(/@(v\d),(v\d)/, (all, x, y) => (x < y ? all : `@${y},${x}`)),
          )
    expect(sorted(merged(conflict(ours, theirs, base)))).toEqual(want)
    expect(sorted(merged(conflict(theirs, ours, base)))).toEqual(want)
  })

  test('is taken with all its fields, also of a formatted lock and in a CRLF checkout', () => {
    const lock = lockOf({
      live: [{ ...a2, system: '<<<<<<< x\n=======\n', ...held }, b1],
      staging: [{ ...b2, temperature: null }],
    })
    const text = conflict(lock.parts, [a1, b1], [a1, b1])
    for (const form of [text, text.replaceAll('\n', '\r\n'), text.replaceAll('\n  ', '\n\t')])
      expect(recoverLock(form, sha256)).toEqual({
        environment: 'live',
        ours: lock.parts,
        merged: lock.parts,
        conflicts: [],
      })
  })

  test('is open if git mixed the lines of both sides', () => {
    const mixed = print([a1, s1, b1]).replace('"v1"', '"v9"')
    const text = mixed.replace('  "prompts"', '<<<<<<< x\n=======\n>>>>>>> y\n  "prompts"')
    expect(merged(text)).toEqual(['a@v1', 'b@v1', '?a (staging)@'])
  })
})

test('git merges two branches that pull the two parts of one prompt without a conflict', async () => {
  const root = await temporaryFolder()
  const texts = ['one', 'two'].map((system) => ({ slug: 'b', system }))
  const lock = (live: Partial<PinnedPrompt>, staged: Parts): string =>
    printLock(lockOf({ live: [{ slug: 'a' }, live, { slug: 'c' }], staging: staged }), sha256)
  const [before = {}, after = {}] = texts
  const [path, draft] = ['prompts.lock.json', { slug: 'b', version: 'v23' }]
  importBranches(root, [
    branch('base', { [path]: lock(before, []) }),
    branch('live', { [path]: lock(after, []) }, 'base'),
    branch('staging', { [path]: lock(before, [draft]) }, 'base'),
  ])
  expect(mergedTexts(root, [['live', 'staging']], [path])).toEqual([[lock(after, [draft])]])
})

describe('two different holds of one part', () => {
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

  test('of a part into which git mixed the lines of the other side are left to the user, too', () => {
    const mixed = print([{ ...a1, ...held }]).replace('"v1"', '"v2"')
    expect(merged(conflictOf(mixed, print([a2])))).toBe('held')
    expect(merged(conflictOf(print([a2]), mixed))).toBe('held')
  })
})

describe('with the committed sides, what a person has resolved in the text stays', () => {
  const waiting = { ...a1, held: { reason: 'waiting' } }
  const sides = { base: print([a1, b1]), ours: print([waiting, b2]), theirs: print([a2, b3]) }

  /** The entry `b` in conflict, after these parts. */
  function half(before: Parts): string {
    const [one, other] = [print([...before, b2]), print([...before, b3])].map((text) => {
      const start = text.indexOf('    {\n      "slug": "b"')
      return [text.slice(0, start), text.slice(start, text.lastIndexOf('  ]\n'))] as const
    })
    const markers = `<<<<<<< HEAD\n${one?.[1]}=======\n${other?.[1]}>>>>>>> main\n`
    return `${one?.[0]}${markers}  ]\n}\n`
  }

  test.each([
    ['the side without the hold', [a2], ['a@v2', '?b@v2,v3']],
    ['the side with the hold', [waiting], ['a@v1!', '?b@v2,v3']],
    ['neither side', [a3], ['a@v3', '?b@v2,v3']],
    ['the removal of the prompt', [], ['?b@v2,v3']],
  ])('%s', (_, before, want) => {
    expect(merged(half(before), sides)).toEqual(want)
    expect(merged(half(before).replaceAll('\n', '\r\n'), sides)).toEqual(want)
  })

  test('but not a part whose hash is wrong, which is merged from the sides', () => {
    const text = half([a2]).replace('"v2"', '"v9"')
    expect(merged(text, sides)).toEqual(['a@v1!', '?b@v2,v3'])
  })

  test('and a text whose markers are mixed up is merged from them', () => {
    expect(merged('=======\n', { ...sides, theirs: print([a1, b3]) })).toEqual([
      'a@v1!',
      '?b@v2,v3',
    ])
  })
})

test.each([
  ['live', 'live', 'live'],
  ['live', 'test', 'live'],
  ['test', 'live', 'live'],
  ['test', 'test', 'test'],
] as const)('a lock of %s merged with one of %s serves %s', (ours, theirs, environment) => {
  const text = (of: Lock['environment']): string =>
    printLock({ ...liveLock(a1), environment: of }, sha256)
  expect(recoverLock(conflictOf(text(ours), text(theirs)), sha256)).toMatchObject({ environment })
})

describe('an edited lock without markers', () => {
  test('keeps the intact parts', () => {
    const text = print([a1, { ...s1, ...held }, b1])
    const edited = text.replace(/"v1"(?=[^}]*\}\s+\},)/, '"v9"')
    expect(merged(edited)).toEqual(['a (staging)@v1!', 'b@v1', '?a@'])
  })

  test('is not recovered if a held part was edited', () => {
    expect(merged(print([a1, { ...b1, ...held }]).replace('Legal', 'Other'))).toBe('held')
  })
})

describe('a conflict that can not be read', () => {
  const broken = (text: string): string => text.replace('    },', '    }')
  const UNREADABLE = [
    ['no separator', `<<<<<<< HEAD\n${print([a1])}`],
    ['no end', `<<<<<<< HEAD\n${print([a1])}=======\n${print([a2])}`],
    ['a separator alone', `=======\n${print([a1])}`],
    ['a side that is not JSON', conflictOf(broken(print([a1, b1])), print([a1]))],
  ] as const

  test.each(UNREADABLE)('is not merged: %s', (_, text) => {
    expect(merged(text)).toBe('unreadable')
  })

  test.each(UNREADABLE)('does not lose a hold: %s', (_, text) => {
    const marked = text.replace(
      '"integrity"',
      '"held": {\n        "reason": "Legal"\n      },\n"integrity"',
    )
    expect(merged(marked)).toBe('held')
    expect(merged(marked.replaceAll('  ', '\t'))).toBe('held')
    expect(merged(marked.replaceAll(/\n +/g, ' '))).toBe('held')
    expect(merged(marked.replaceAll(': ', ' : '))).toBe('held')
  })

  test('has no hold in a text that looks like one', () => {
    expect(merged(`=======\n${print([{ ...a1, system: '"held": {' }])}`)).toBe('unreadable')
  })
})
