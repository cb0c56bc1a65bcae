import { describe, expect, test } from 'vitest'
import { printDeclarations } from '../../../../src/codegen/declarations.ts'
import { planModule } from '../../../../src/codegen/plan-module.ts'
import { parseLock } from '../../../../src/core/lock/parse-lock.ts'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import { recoverLock } from '../../../../src/core/lock/merge-lock.ts'
import type { PartId, PinnedPrompt } from '../../../../src/core/prompt.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { branch, importBranches, mergedTexts } from '../../../helpers/git-repository.ts'
import { lockOf, partsOf, pinned } from '../../../helpers/pinned.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

function print(parts: string | readonly PinnedPrompt[]): string {
  const list = typeof parts === 'string' ? partsOf(parts) : parts
  return printLock({ parts: list }, sha256)
}

/** Both sides as one conflict over the whole file, with the base in diff3 style. */
function conflict(ours: string, theirs: string, base?: string): string {
  const before = base === undefined ? '' : `||||||| base\n${print(base)}`
  return conflictOf(`${print(ours)}${before}`, print(theirs))
}

function conflictOf(ours: string, theirs: string): string {
  return `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> main\n`
}

/** The words of what is merged, with `?` and both versions for what is not. */
function merged(text: string, committed?: Parameters<typeof recoverLock>[2]): string {
  const lock = recoverLock(text, sha256, committed)
  if (typeof lock === 'string') return lock
  const nameOf = (part: PartId): string => `${part.slug}${part.environment === 'test' ? '*' : ''}`
  const words = lock.merged.map(
    (part) => `${nameOf(part)}${part.version.slice(1)}${part.held === undefined ? '' : '!'}`,
  )
  const conflicts = lock.conflicts.map((part) => {
    const versions = part.sides.map(({ version }) => version.slice(1))
    return `?${nameOf(part)}${versions.toSorted().join()}`
  })
  return [...words, ...conflicts].join(' ')
}

test.each([
  ['is taken if both sides have it', 'a2', 'a2', 'a1', 'a2'],
  ['is taken from the side that changed it', 'a2 b1', 'a1 b2', 'a1 b1', 'a2 b2'],
  ['is taken from the side that added it', 'a1 b1', 'a1', 'a1', 'a1 b1'],
  ['is removed with the side that removed it', 'a1', 'a1 b1', 'a1 b1', 'a1'],
  ['is taken back with the side that did', 'a1', 'a1!', 'a1!', 'a1'],
  ['stays held if the other side updated it', 'a1!', 'a2', 'a1', 'a1!'],
  ['stays held if the other side removed it', 'a1! b1', 'b1', 'a1 b1', 'a1! b1'],
  ['is open if both sides changed it', 'a2 b1', 'a3 b1', 'a1 b1', 'b1 ?a2,3'],
  ['is open if both sides added it', 'a1 b1', 'a1 b2', 'a1', 'a1 ?b1,2'],
  ['is open if one side removed it', 'a1', 'a1 b2', 'a1 b1', 'a1 ?b2'],
  ['is open although the other part is not', 'a2 a*2', 'a1 a*3', 'a1 a*1', 'a2 ?a*2,3'],
  ['is taken from its side, whatever the other', 'a2 a*1', 'a1 a*2', 'a1 a*1', 'a2 a*2'],
  ['without a base, is kept if only one side has it', 'a1 a*1', 'a1', undefined, 'a1 a*1'],
  ['without a base, is open if the sides differ', 'a1 b1', 'a2 b1', undefined, 'b1 ?a1,2'],
  ['without a base, stays held', 'a1!', 'a2', undefined, 'a1!'],
])('a part of a conflicted lock %s', (_, ours, theirs, base, want) => {
  expect(merged(conflict(ours, theirs, base))).toBe(want)
  expect(merged(conflict(theirs, ours, base))).toBe(want)
})

test('a part of a conflicted lock is taken with all its fields, formatted or with CRLF', () => {
  const [a, b] = partsOf('a2! b1')
  const lock = lockOf({
    live: [{ ...a, system: '<<<<<<< x\n=======\n' }, { ...b }],
    staging: [{ slug: 'b', version: 'v2', temperature: null }],
  })
  const text = conflictOf(`${print(lock.parts)}||||||| base\n${print('a1 b1')}`, print('a1 b1'))
  for (const form of [text, text.replaceAll('\n', '\r\n'), text.replaceAll('\n  ', '\n\t')])
    expect(recoverLock(form, sha256)).toEqual({
      ours: lock.parts,
      merged: lock.parts,
      conflicts: [],
    })
})

test('a part of a conflicted lock is open if git mixed the lines of both sides', () => {
  const mixed = print('a1 a*1 b1').replace('"v1"', '"v9"')
  const text = mixed.replace('  "prompts"', '<<<<<<< x\n=======\n>>>>>>> y\n  "prompts"')
  expect(merged(text)).toBe('a1 b1 ?a*')
})

test.each([
  ['the two parts of one prompt', 'a1 b1 c1', 'a1 b2 c1', 'a1 b1 b*3 c1', 'a1 b2 b*3 c1'],
  ['different prompts', 'a1 b1 c1', 'a2 b1 c1', 'a1 b1 c1 d1', 'a2 b1 c1 d1'],
  ['prompts beside each other', 'a1 c1 e1', 'a1 b1 c1 e1', 'a1 c1 d*1', 'a1 b1 c1 d*1'],
])('git merges two branches that pull %s without a conflict', async (...row) => {
  const files = (words: string): Record<string, string> => {
    const parts = partsOf(words).map((part) => ({ ...part, system: `Text ${part.version}` }))
    const declarations = printDeclarations(planModule({ parts }, 'live'))
    return { 'prompts.lock.json': print(parts), 'prompts.d.ts': declarations }
  }
  const [base = {}, ours = {}, theirs = {}, want = {}] = row.slice(1).map(files)
  const root = await temporaryFolder()
  importBranches(root, [
    branch('base', base),
    branch('ours', ours, 'base'),
    branch('theirs', theirs, 'base'),
  ])
  const texts = mergedTexts(root, ['ours', 'theirs'], Object.keys(want))
  expect(texts).toEqual(Object.values(want))
})

describe('two different holds of one part', () => {
  test.each([
    ['of two versions', 'v1', 'incident'],
    ['of one version', 'v2', 'other'],
  ])('two holds %s are left to the user, in either direction', (_, version, reason) => {
    const [one, other] = [
      print([pinned({ slug: 'b', version: 'v2', held: { reason: 'Legal' } })]),
      print([pinned({ slug: 'b', version, held: { reason } })]),
    ]
    for (const base of ['', `||||||| base\n${print('b2')}`, `||||||| base\n${print('')}`]) {
      expect(merged(conflictOf(one + base, other))).toBe('held')
      expect(merged(conflictOf(other + base, one))).toBe('held')
    }
  })

  test('two equal holds are one, and a hold that only one branch changed is taken', () => {
    expect(merged(conflict('b2!', 'b2!', 'b2'))).toBe('b2!')
    expect(merged(conflict('b2!', 'b1!', 'b1!'))).toBe('b2!')
  })

  test('a hold into which git mixed the lines of the other side is left to the user', () => {
    const mixed = print('a1!').replace('"v1"', '"v2"')
    expect(merged(conflictOf(mixed, print('a2')))).toBe('held')
    expect(merged(conflictOf(print('a2'), mixed))).toBe('held')
  })
})

describe('with the committed sides', () => {
  const sides = { base: print('a1 b1'), ours: print('a1! b2'), theirs: print('a2 b3') }

  /** The entry `b` in conflict, after these parts. */
  function half(before: string): string {
    const [one, other] = ['b2', 'b3'].map((b) => {
      const text = print(`${before} ${b}`)
      const start = text.indexOf('    {\n      "slug": "b"')
      return [text.slice(0, start), text.slice(start, text.lastIndexOf('  ]\n'))] as const
    })
    const markers = `<<<<<<< HEAD\n${one?.[1]}=======\n${other?.[1]}>>>>>>> main\n`
    return `${one?.[0]}${markers}  ]\n}\n`
  }

  test.each([
    ['the side without the hold', 'a2', 'a2 ?b2,3'],
    ['the side with the hold', 'a1!', 'a1! ?b2,3'],
    ['neither side', 'a3', 'a3 ?b2,3'],
    ['the removal of the prompt', '', '?b2,3'],
  ])('what a person has resolved in the text stays: %s', (_, before, want) => {
    expect(merged(half(before), sides)).toBe(want)
    expect(merged(half(before).replaceAll('\n', '\r\n'), sides)).toBe(want)
  })

  test('a part whose hash is wrong is merged from the sides', () => {
    expect(merged(half('a2').replace('"v2"', '"v9"'), sides)).toBe('a1! ?b2,3')
    const alike = { base: print('a1'), ours: print('a2'), theirs: print('a2') }
    expect(merged('', alike)).toBe('a2')
  })

  test.each([
    ['whose markers are mixed up', '=======\n'],
    ['whose sides are no locks', half('a2').replace('{', '')],
    ['of which our side is no lock', half('a2').replace('=======', ',\n$&')],
    ['of which their side is no lock', half('a2').replace('>>>>>>>', ',\n$&')],
  ])('a text %s is merged from the sides', (_, text) => {
    expect(merged(text, { ...sides, theirs: print('a1 b3') })).toBe('a1! ?b2,3')
  })
})

test('an edited lock without markers keeps the intact parts', () => {
  const edited = print('a1 a*1! b1').replace(/"v1"(?=[^}]*\}\s+\},)/, '"v9"')
  expect(merged(edited)).toBe('a*1! b1 ?a')
  expect(recoverLock(edited, sha256)).toMatchObject({ ours: partsOf('a*1! b1') })
})

test('an edited lock is not recovered if a held part was edited', () => {
  expect(merged(print('a1 b1!').replace('Legal', 'Other'))).toBe('held')
})

const UNREADABLE = [
  ['no separator', `<<<<<<< HEAD\n${print('a1')}`],
  ['no end', `<<<<<<< HEAD\n${print('a1')}=======\n${print('a2')}`],
  ['a separator alone', `=======\n${print('a1')}`],
  ['a side that is not JSON', conflictOf(print('a1 b1').replace('    },', '    }'), print('a1'))],
  ['their side as no JSON', conflictOf(print('a1'), print('a1 b1').replace('    },', '    }'))],
] as const

test.each(UNREADABLE)('a conflict with %s is not merged and loses no hold', (_, text) => {
  expect(merged(text)).toBe('unreadable')
  const marked = text.replace('"integrity"', '"held": {\n        "reason": "Legal"\n      },\n$&')
  expect(merged(marked)).toBe('held')
  expect(merged(marked.replaceAll('  ', '\t'))).toBe('held')
  expect(merged(marked.replaceAll(/\n +/g, ' '))).toBe('held')
  expect(merged(marked.replaceAll(': ', ' : '))).toBe('held')
})

test('a conflict that can not be read has no hold in a text that looks like one', () => {
  const [a = pinned()] = partsOf('a1')
  expect(merged(`=======\n${print([{ ...a, system: '"held": {' }])}`)).toBe('unreadable')
})

describe('a slug that is there twice, as git leaves it when two branches pulled a rename', () => {
  /** The lock with the entries of both texts. */
  function twice(one: string, other: string): string {
    const between = '\n    },\n    {\n'
    const [first = '', second = ''] = [print(one), print(other)]
    const entries = second.slice(second.indexOf('    {\n') + '    {\n'.length)
    return first.replace(/\n {4}\}\n {2}\]\n\}\n$/, () => between + entries)
  }

  test.each([
    ['is one entry if the two are equal', 'a1 b1', 'b1 c1', 'a1 b1 c1'],
    ['is open if they differ', 'a1 b1', 'b2 c1', 'a1 c1 ?b1,2'],
    ['is the held one, if one is', 'a1 b1!', 'b2 c1', 'a1 b1! c1'],
    ['has the part that only one of them has', 'a1 b1 b*2', 'b1 c1', 'a1 b1 b*2 c1'],
    ['is left to a person if both are held', 'a1 b1!', 'b2! c1', 'held'],
  ])('%s', (_, one, other, want) => {
    expect(merged(twice(one, other))).toBe(want)
    expect(merged(twice(one, other).replaceAll('  ', '\t'))).toBe(want)
  })

  test('git leaves an entry of each branch, of which a pull takes one', async () => {
    const root = await temporaryFolder()
    const [path, both, renamed] = ['prompts.lock.json', print('b1 i1 z1!'), print('i1 z1!')]
    importBranches(root, [
      branch('base', { [path]: print('b1 z1!') }),
      branch('main', { [path]: both }, 'base'),
      branch('feature', { [path]: renamed }, 'base'),
    ])
    const [text = ''] = mergedTexts(root, ['main', 'feature'], [path])
    expect(parseLock(text, sha256)).toMatchObject({
      fault: { code: 'LOCK_DUPLICATE', details: { slugs: ['i'] } },
    })
    expect(merged(text)).toBe('i1 z1!')
  })
})
