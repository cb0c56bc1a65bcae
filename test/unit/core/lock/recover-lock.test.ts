import { describe, expect, test } from 'vitest'
import { printDeclarations } from '../../../../src/codegen/declarations.ts'
import { planModule } from '../../../../src/codegen/plan-module.ts'
import { faulty } from '../../../../src/core/lock/canonical-lock.ts'
import { parseLock } from '../../../../src/core/lock/parse-lock.ts'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import type { ConflictSides } from '../../../../src/core/lock/conflict.ts'
import { type CommittedTexts, recoverLock } from '../../../../src/core/lock/recover-lock.ts'
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

const CONFLICT = faulty({ code: 'LOCK_CONFLICTED', details: { line: 1 } })

/**
 * What a pull starts from, in words: the parts that are known, `?` before a part with both of its versions, and `-`
 * before one that is lost, which may have been edited (`~`) or held (`!`), with the version that git has, and `…` if
 * there may have been more.
 */
function recovered(text: string, committed: Partial<CommittedTexts> = {}): string {
  const parsed = parseLock(text, sha256)
  if (parsed.kind === 'lock') return `valid: ${parsed.lock.parts.map(wordOf).join(' ')}`
  const former = recoverLock(text, parsed, { earlier: [], ...committed }, sha256)
  if (former.kind === 'fault')
    return Object(former.fault.details).losesHold ? 'held' : former.fault.code
  if (former.kind === 'whole') {
    const open = former.open.map((part) => {
      const versions = part.sides.map(({ version }) => version.slice(1))
      return `?${nameOf(part)}${versions.toSorted().join()}`
    })
    return [...former.parts.map(wordOf), ...open].join(' ')
  }
  const lost = former.lost.map((part) => {
    const marks = `${part.isEdited ? '~' : ''}${part.held === null ? '' : '!'}`
    return `-${nameOf(part)}${marks}${part.former?.version.slice(1) ?? ''}`
  })
  const more = former.isComplete ? [] : ['…']
  return ['damaged:', ...former.known.map(wordOf), ...lost, ...more].join(' ')
}

function nameOf({ slug, environment }: PartId): string {
  return `${slug}${environment === 'test' ? '*' : ''}`
}

function wordOf(part: PinnedPrompt): string {
  return `${nameOf(part)}${part.version.slice(1)}${part.held === undefined ? '' : '!'}`
}

/** The same, with the sides of a merge in git's index. */
function merged(text: string, sides?: ConflictSides): string {
  return recovered(text, { sides, earlier: sides ? [sides.ours] : [] })
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

test('two prompts whose entries share lines in a conflict both stay, also without the sides in git', () => {
  const [one, other] = [print('a1 b1'), print('a1 c1')]
  const [start, end] = [one.lastIndexOf('      "slug"'), one.lastIndexOf('    }\n')]
  const sides = conflictOf(one.slice(start, end), other.slice(start, end))
  const text = `${one.slice(0, start)}${sides}${one.slice(end)}`
  expect(merged(text)).toBe('a1 b1 c1')
  expect(merged(text.replace(/(?<="c"[^]*)"v1"/, '"v9"'))).toBe('damaged: a1 b1 -c~ …')
})

test('a part of a conflicted lock is taken with all its fields, formatted or with CRLF', () => {
  const [a, b] = partsOf('a2! b1')
  const lock = lockOf({
    live: [{ ...a, system: '<<<<<<< x\n=======\n' }, { ...b }],
    staging: [{ slug: 'b', version: 'v2', temperature: null }],
  })
  const text = conflictOf(`${print(lock.parts)}||||||| base\n${print('a1 b1')}`, print('a1 b1'))
  for (const form of [text, text.replaceAll('\n', '\r\n'), text.replaceAll('\n  ', '\n\t')])
    expect(recoverLock(form, CONFLICT, { earlier: [] }, sha256)).toEqual({
      kind: 'whole',
      before: lock,
      parts: lock.parts,
      open: [],
      fault: CONFLICT,
    })
})

test('a part into which git mixed the lines of both sides is open if git has them, and lost if not', () => {
  const mixed = print('a1 a*1 b1').replace('"v1"', '"v9"')
  const text = mixed.replace('  "prompts"', '<<<<<<< x\n=======\n>>>>>>> y\n  "prompts"')
  const [base, ours, theirs] = [print('a1 a*0 b1'), print('a1 a*1 b1'), print('a1 a*9 b1')]
  expect(merged(text, { base, ours, theirs })).toBe('a1 b1 ?a*1,9')
  expect(merged(text)).toBe('damaged: a1 b1 -a*~ …')
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

  test('a hold into which git mixed the lines of the other side is lost, and named', () => {
    const mixed = print('a1!').replace('"v1"', '"v2"')
    expect(merged(conflictOf(mixed, print('a2')))).toBe('damaged: -a~! …')
    expect(merged(conflictOf(print('a2'), mixed))).toBe('damaged: -a~! …')
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

  test('a part that is as git left it is merged from the sides, and another one is as a person left it', () => {
    const base = print('a1 b2')
    const text = conflict('b2', 'a1 b2')
    const of = { sides: { base, ours: print('a1 b3'), theirs: base }, earlier: [base] }
    for (const mixed of [text, text.replaceAll('"v2"', '"v9"')]) {
      expect(recovered(mixed, { ...of, left: mixed })).toBe('a1 b3')
      expect(recovered(`${mixed}\n`.replaceAll('\n', '\r\n'), { ...of, left: mixed })).toBe('a1 b3')
    }
    expect(recovered(text, { ...of, left: conflict('b3', 'a1 b2') })).toBe('a1 b2')
    expect(recovered(conflict('b4', 'b4'), { ...of, left: text })).toBe('b4')
  })

  test('a part whose hash is wrong is merged from the sides', () => {
    expect(merged(half('a2').replace('"v2"', '"v9"'), sides)).toBe('a1! ?b2,3')
    const alike = { base: print('a1'), ours: print('a2'), theirs: print('a2 b1') }
    expect(merged('', alike)).toBe('a2 b1')
  })

  test('an entry that can not be read in one side is lost, unless a person has resolved it', () => {
    const cut = (text: string): string => text.replace(/(?<="b"[^]*)("v\d"),/, '$1')
    const broken = { ...sides, theirs: cut(sides.theirs) }
    expect(merged('', broken)).toBe('damaged: a1! -b2')
    expect(merged(`=======\n${print('a2 b3')}`, broken)).toBe('a2 b3')
    expect(merged('', { ...sides, base: cut(sides.base) })).toBe('a1! ?b2,3')
  })

  test('a side without a prompt has removed those that the other side left', () => {
    const empty = { base: print('c1'), ours: print('a2 c1'), theirs: print('') }
    expect(merged('', empty)).toBe('a2')
  })

  test('our side is the lock before, whatever a person has resolved', () => {
    const edited = { ...sides, ours: sides.ours.replace('Legal', 'Other') }
    for (const [given, want] of [
      [sides, 'a1! b2'],
      [edited, 'b2'],
    ] as const) {
      const former = recoverLock(half('a2'), CONFLICT, { sides: given, earlier: [] }, sha256)
      expect(former).toMatchObject({ kind: 'whole', before: { parts: partsOf(want) } })
    }
  })

  test('a side that ends early has removed nothing', () => {
    const early = print('a1 b1').slice(0, print('a1').length)
    expect(merged('', { base: print('a1 b1'), ours: print('a1 b1'), theirs: early })).toBe(
      'damaged: -a1 -b1 …',
    )
  })

  test.each([
    ['whose markers are mixed up', '=======\n', 'a1! ?b2,3'],
    ['whose sides are no locks', half('a2').replace('{', ''), 'a2 ?b2,3'],
    ['of which our side is no lock', half('a2').replace('=======', ',\n$&'), 'a2 ?b2,3'],
    ['of which their side is no lock', half('a2').replace('>>>>>>>', ',\n$&'), 'a2 ?b2,3'],
    ['without markers, in which both entries were kept', bothKept('a2 b2', 'b3'), 'a2 ?b2,3'],
    ['that ends early', half('a2').slice(0, 700), 'a2 ?b2,3'],
    ['that lacks a comma', print('a2 b2').replace('    },', '    }'), 'a2 b2'],
  ])('a text %s is merged from the sides', (_, text, want) => {
    expect(merged(text, { ...sides, theirs: print('a1 b3') })).toBe(want)
  })
})

/** The lock with the entries of all texts. */
function bothKept(...texts: readonly string[]): string {
  const [first = '', ...others] = texts.map((text) => print(text))
  const entries = others.map((text) => text.slice(text.indexOf('    {\n') + '    {\n'.length))
  return entries.reduce(
    (text, more) => text.replace(/\n {4}\}\n {2}\]\n\}\n$/, () => `\n    },\n    {\n${more}`),
    first,
  )
}

const WHOLE = print('a1 b1! b*1 c1')
const COMMITTED = print('a5 b6! b*7 c8')

/** As another tool leaves a JSON file. */
function sortKeys(text: string): string {
  const json: unknown = JSON.parse(text, (_, value: unknown) =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )
  return JSON.stringify(json, undefined, 2)
}

test.each([
  ['an edited part', WHOLE.replace('"v1"', '"v9"'), 'b1! b*1 c1 -a~5'],
  ['an edited staging part', WHOLE.replace(/(?<="staging"[^]*?)"v1"/, '"v9"'), 'a1 b1! c1 -b*~7'],
  ['an edited hold', WHOLE.replace('Legal', 'Other'), 'a1 b*1 c1 -b~!6'],
  ['a deleted hold', WHOLE.replace(/ *"held": \{[^}]*\},\n/, ''), 'a1 b*1 c1 -b~6'],
  ['an entry in another form', WHOLE.replace('"a"', '"\\u0061"'), 'a1 b1! b*1 c1'],
  ['sorted keys', sortKeys(WHOLE), 'a1 b1! b*1 c1'],
  ['a wrong type', sortKeys(print('a*1! b1 c1').replace('"v1"', '1')), 'b1 c1 -a*!'],
  ['a slug without quotes', WHOLE.replace('"a"', 'a'), 'b1! b*1 c1 -a5 …'],
  ['an entry without a slug', WHOLE.replace('"slug": "a",', ''), 'b1! b*1 c1 -a5 …'],
  ['a key twice', WHOLE.replace('"v1"', '"v9", "version": "v1"'), 'b1! b*1 c1 -a5'],
  ['two lists', `${WHOLE.slice(0, -2)}, "prompts": [] }`, 'a1 b1! b*1 c1 …'],
  ['a broken text', WHOLE.replace('"Be kind."', '"Be "kind"."'), 'b1! b*1 c1 -a5'],
  ['a broken part that is held', print('a1! b1 c1').replace('"Be', '"B"e'), 'b1 c1 -a!5'],
  ['a comma that is missing in an entry', WHOLE.replace('"v1",', '"v1"'), 'b1! b*1 c1 -a5'],
  ['a comma that is missing between entries', WHOLE.replace('    },', '    }'), 'a1 b1! b*1 c1'],
  ['a word between entries', WHOLE.replace('    },', '    }, note'), 'a1 b1! b*1 c1 …'],
  ['an entry without its end', WHOLE.replace('    },', ''), 'a1 b1! b*1 c1'],
  ['a last entry that ends early', WHOLE.slice(0, WHOLE.indexOf('"c"') + 60), 'a1 b1! b*1 -c8 …'],
  [
    'no end in a staging part',
    WHOLE.slice(0, WHOLE.indexOf('"staging"') + 60),
    'a1 -b!6 -b*7 -c8 …',
  ],
  ['another first line', `note\n${WHOLE}`, 'a1 b1! b*1 c1 …'],
  ['the end before any part', WHOLE.slice(0, WHOLE.indexOf('"b"') + 5), 'a1 -b!6 -b*7 -c8 …'],
  ['a broken live part', print('a1 b2 b*1 c1').replace('"v2"', '"v2'), 'a1 c1 -b!6 -b*7'],
  ['a broken part beside none', print('a*1 b1 c1').replace('"Be', '"B"e'), 'b1 c1 -a*'],
  [
    'an edit in a prompt that git does not know',
    print('a1 z1 z*1').replace(/(?<="staging"[^]*?)"v1"/, '"v9"'),
    'a1 z1 -b!6 -b*7 -c8 -z*~ …',
  ],
  ['three entries of a prompt', bothKept('a1 b1', 'b2!', 'b3'), 'a1 -b!6'],
  ['three entries of which two are equal', bothKept('a1 b1', 'b2', 'b1'), 'a1 -b6'],
  ['a stray marker in front', `<<<<<<< HEAD\n${WHOLE}`, 'a1 b1! b*1 c1'],
  ['a stray marker in an entry', WHOLE.replace('        "system"', '=======\n$&'), 'a1 b1! b*1 c1'],
  [
    'markers without an end',
    `<<<<<<< x\n${print('a1')}=======\n${print('a2')}`,
    '-a5 -b!6 -b*7 -c8 …',
  ],
  [
    'a side of a conflict that lacks a comma',
    conflictOf(print('a1 b1').replace('    },', '    }'), print('a2')),
    'b1 -a5',
  ],
  ['nothing of a lock in it', '{}', '-a5 -b!6 -b*7 -c8 …'],
  ['nothing in it', '', '-a5 -b!6 -b*7 -c8 …'],
] as const)('a lock with %s loses what can not be read, and nothing else', (_, text, want) => {
  const formatted = text.replaceAll('  ', '\t').replaceAll(': ', ' : ')
  for (const form of [text, formatted, text.replaceAll('\n', '\r\n')])
    expect(recovered(form, { earlier: [COMMITTED] })).toBe(`damaged: ${want}`.trim())
})

test('a prompt whose slug is empty is known like any other', () => {
  const text = print([pinned({ slug: '', version: 'v1' }), ...partsOf('a1 b1')])
  expect(merged(text.replace(/(?<="b"[^]*)"v1"/, '"v9"'))).toBe('damaged: 1 a1 -b~ …')
})

test('what is lost is looked up in the index, and then in HEAD', () => {
  const edited = print('a1 b1 c1').replaceAll('"v1"', '"v9"')
  const index = print('a2 b2').replace('"v2"', '"v9"')
  expect(recovered(edited, { earlier: [index, print('a3 b3')] })).toBe('damaged: -a~3 -b~2 -c~ …')
})

test('what is lost has the line of its slug, in whatever form the lock is', () => {
  for (const text of [WHOLE, sortKeys(WHOLE)].map((form) => form.replace('Legal', 'Other'))) {
    const lock = recoverLock(text, CONFLICT, { earlier: [] }, sha256)
    const line = text.split('\n').findIndex((one) => one.includes('"slug": "b"')) + 1
    expect(lock).toMatchObject({ lost: [{ slug: 'b', line, held: 'Other' }] })
  }
})

test('a hold of an entry that can not be read is named, however long its reason is', () => {
  const reason = `${'Legal \\ "approved" '.repeat(100)}this.`
  const text = print([pinned({ slug: 'a', held: { reason } })]).replace('"Be', '"B"e')
  const lock = recoverLock(text, CONFLICT, { earlier: [] }, sha256)
  expect(lock).toMatchObject({ lost: [{ slug: 'a', held: reason }] })
})

test('after an early end, every prompt that git has is lost, and where every entry is intact, none', () => {
  const earlier = [print('a1 c1! d1 d*1')]
  const [early, late] = [
    WHOLE.slice(0, WHOLE.indexOf('"b"')),
    print('a1 b1').replace('    },', '    }'),
  ]
  expect(recovered(early, { earlier })).toBe('damaged: a1 -c!1 -d1 -d*1 …')
  expect(recovered(late, { earlier })).toBe('damaged: a1 b1')
})

test('whichever lines are cut out of a lock, each part that git has is known or lost, and a hold that is gone is named', () => {
  const whole = print('a1 a*2 b*1 c1!')
  const lines = whole.split('\n')
  for (let from = 3; from < lines.length; from += 2)
    for (let to = from + 1; to < lines.length; to += 5) {
      const text = lines.toSpliced(from, to - from).join('\n')
      const words = recovered(text, { earlier: [whole] }).split(' ')
      // Whoever cut out whole entries may have meant it.
      if (!words.some((word) => word.startsWith('-'))) continue
      const c = text.includes('"slug": "c"') ? /^-?c/ : /^-c!1$/
      for (const part of [/^-?a[^*]*$/, /^-?a\*/, /^-?b\*/, c])
        expect(words, text).toContainEqual(expect.stringMatching(part))
    }
})

test.each([
  ['another one', 'z', 'damaged: c1 -a1 -b1 -z~ …'],
  ['that of another prompt', 'c', 'damaged: -a1 -b1 -c~1 …'],
])(
  'a prompt whose slug was changed by hand to %s is lost, too, with all that git has',
  (_, slug, want) => {
    const text = print('a1 b1 c1')
      .replace('"a"', `"${slug}"`)
      .replace(/ {4}\{\n {6}"slug": "b"[^]*?\n {4}\},\n/, '')
    expect(recovered(text, { earlier: [print('a1 b1 c1')] })).toBe(want)
  },
)

test('a part that was edited during a merge is lost if git could merge it', () => {
  const sides = { base: print('a1 b1'), ours: print('a2 b2'), theirs: print('a2 b3') }
  const edited = print('a2 b2').replace('"Be kind."', '"Be mean."')
  expect(merged(conflictOf(edited, edited.replace(/(?<="b"[^]*)"v2"/, '"v3"')), sides)).toBe(
    'damaged: -a~2 -b~2',
  )
})

test('no side of a newer version is merged', () => {
  const newer = print('a2').replace(/"lockVersion": \d+/, '"lockVersion" : 99')
  const sides = { base: print('a1'), ours: print('a1'), theirs: newer }
  expect(merged('', sides)).toBe('LOCK_TOO_NEW')
  expect(merged(newer.slice(0, 90))).toBe('LOCK_TOO_NEW')
})

describe('a slug that is there twice, as git leaves it when two branches pulled a rename', () => {
  test.each([
    ['is one entry if the two are equal', 'a1 b1', 'b1 c1', 'a1 b1 c1'],
    ['is open if they differ', 'a1 b1', 'b2 c1', 'a1 c1 ?b1,2'],
    ['is the held one, if one is', 'a1 b1!', 'b2 c1', 'a1 b1! c1'],
    ['has the part that only one of them has', 'a1 b1 b*2', 'b1 c1', 'a1 b1 b*2 c1'],
    ['is left to a person if both are held', 'a1 b1!', 'b2! c1', 'held'],
  ])('%s', (_, one, other, want) => {
    expect(merged(bothKept(one, other))).toBe(want)
    expect(merged(bothKept(one, other).replaceAll('  ', '\t'))).toBe(want)
  })

  test.each([
    ['a1 b1', 'b2'],
    ['a1 b2', 'b1'],
  ])('has ours where git has it: %s, then %s', (one, other) => {
    const fault = faulty({ code: 'LOCK_DUPLICATE', details: { slugs: ['b'] } })
    const committed = { earlier: [print('a1 b2')] }
    expect(recoverLock(bothKept(one, other), fault, committed, sha256)).toMatchObject({
      kind: 'whole',
      before: { parts: partsOf('a1 b2') },
    })
  })

  test.each([
    ['one of them', print('b1'), 'a1 ?b1,2'],
    ['a third one', print('b3'), 'damaged: a1 -b'],
    ['three', bothKept('b1', 'b2', 'b1'), 'damaged: a1 -b'],
  ])('is in conflict in one side, too, beside %s in the other', (_, other, want) => {
    const twice = bothKept('a1 b1', 'b2')
    expect(merged(conflictOf(twice, other))).toBe(want)
    expect(merged(conflictOf(other, twice))).toBe(want)
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
