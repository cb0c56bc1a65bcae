import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { isSameJson } from '../../../../src/core/lock/json-difference.ts'
import type { FaultyLock } from '../../../../src/core/lock/canonical-lock.ts'
import { lockOf as verified } from '../../../../src/core/lock/entry.ts'
import { openLock, parseLock } from '../../../../src/core/lock/parse-lock.ts'
import { LOCK_VERSION, printLock } from '../../../../src/core/lock/print-lock.ts'
import { SETTINGS } from '../../../../src/core/settings.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { hostileLock } from '../../../helpers/hostile.ts'
import { liveLock, lockOf, parsedLock } from '../../../helpers/pinned.ts'
import { sweepRuns } from '../../../helpers/sweep.ts'

const LOCK = lockOf({
  live: [
    { slug: 'a', system: 'One\nTwo\n', user: 'U' },
    { slug: 'b', system: 'S', user: 'V', source: 'S and V', held: { reason: 'Legal' } },
    { slug: 'c', system: 'x\u202ey', folder: 'A\\/"\u0001', temperature: 0 },
  ],
  staging: [{ slug: 'b', version: 'v23', temperature: null }],
})
const TEXT = printLock(LOCK, sha256)

/** The text of the lock with something replaced. */
function edit(from: string | RegExp, to: string, text: string = TEXT): string {
  return text.replace(from, to)
}

/** A lock of these prompts, on one line. */
function lockJson(...prompts: readonly string[]): string {
  return `{"lockVersion":${LOCK_VERSION},"prompts":[${prompts.join()}]}`
}

test.each([
  ['CRLF', TEXT.replaceAll('\n', '\r\n')],
  ['no newline at the end', TEXT.trimEnd()],
  ['tabs', TEXT.replaceAll('  ', '\t')],
  ['an indentation by eight', TEXT.replaceAll('  ', ' '.repeat(8))],
  ['64 spaces before a line end', edit(',\n', `,${' '.repeat(64)}\n`)],
  ['one line without escapes that are not needed', TEXT.replaceAll(/\n */g, '')],
  ['short arrays on one line, as Prettier does', edit(/\[\s+(".*",)\s+("")\s+\]/g, '[$1 $2]')],
  ['CRLF, tabs and blank lines', TEXT.replaceAll('\n', '\r\n\r\n\t')],
])('a lock is read in which another tool wrote %s', (_, text) => {
  expect(text).not.toBe(TEXT)
  expect(parseLock(text, sha256)).toMatchObject({ lock: LOCK, unsorted: undefined })
  expect(shippedFrom(text)).toEqual(LOCK)
})

test('any lock is the same with another indentation', () => {
  fc.assert(
    fc.property(hostileLock, fc.constantFrom('', '\t', '   '), (lock, indentation) => {
      const printed = printLock(lock, sha256)
      const formatted = JSON.stringify(JSON.parse(printed), undefined, indentation)
      // A formatter keeps the escapes of strings, which `JSON.stringify` does not.
      fc.pre(printed === `${JSON.stringify(JSON.parse(printed), undefined, 2)}\n`)
      expect(parsedLock(formatted)).toEqual(parsedLock(printed))
      expect(isSameJson(formatted, printed)).toBe(true)
    }),
    { seed: 66, numRuns: sweepRuns(60) },
  )
})

test('of a later text, only the entries that differ are hashed', () => {
  const digest = vi.fn<typeof sha256>(sha256)
  const parsed = parseLock(TEXT, digest)
  expect(digest).toHaveBeenCalledTimes(LOCK.parts.length)
  if (parsed.kind === 'fault') throw new Error(parsed.fault.code)
  for (const [text, count] of [
    [TEXT, 0],
    [edit('"One"', '"Two"'), 1],
  ] as const) {
    digest.mockClear()
    parseLock(text, digest, parsed.entries)
    expect(digest).toHaveBeenCalledTimes(count)
  }
})

test('white space in the text of a prompt is part of it, whatever it is', () => {
  const text = printLock(liveLock({ slug: 'a', system: `${' '.repeat(999)}\n\n\n\n\r` }), sha256)
  expect(parseLock(JSON.stringify(JSON.parse(text)), sha256)).toMatchObject({ kind: 'lock' })
})

test.each([
  ['its first entry at the end', [1, 2, 0], 'a'],
  ['its second entry at the end', [0, 2, 1], 'b'],
])('a lock with %s is read, and its order reported', (_, order, unsorted) => {
  const value = JSON.parse(TEXT)
  const prompts = order.map((index) => value.prompts[index])
  for (const space of [undefined, 2]) {
    const text = JSON.stringify({ ...value, prompts }, undefined, space)
    const escaped = text.replaceAll('\u202e', '\\u202e')
    expect(parseLock(escaped, sha256)).toMatchObject({ lock: LOCK, unsorted })
  }
})

const VERSION = /^ +"version": "v22",\n/m
const CONFLICT = '<<<<<<< HEAD\n$&=======\n        "version": "v23",\n>>>>>>> main\n'
const NEWER = edit(/"lockVersion": \d+/, '"lockVersion": 12')
const PROMPTS = '  "prompts"'
const VERSIONS = '<<<<<<< HEAD\n  "lockVersion": 1,\n=======\n$&\n>>>>>>> main'
/** The first prompt with another text, which `JSON.parse` would ignore before the real prompts. */
const DECOY = edit('One', 'Decoy').slice(TEXT.indexOf(PROMPTS), -3)

/** An entry of the slug `a` with another text. */
const ENTRY = printLock(liveLock({ slug: 'a' }), sha256).slice(TEXT.indexOf('    {\n'), -7)

/** The settings of a part, each of a wrong type. */
const NO_SETTINGS = Object.keys(SETTINGS).map((name) => `"${name}":[]`)

/** The lock with two of its entries at its end again. */
const TWICE = JSON.stringify({
  ...JSON.parse(TEXT),
  prompts: [0, 1, 2, 0, 2].map((index) => JSON.parse(TEXT).prompts[index]),
}).replaceAll('\u202e', '\\u202e')

/** Texts by the code of their error, each with the problems, the parts or the line that it names. */
const REFUSED: Readonly<Record<string, readonly (readonly [string, string, unknown?])[]>> = {
  LOCK_SYNTAX: [
    ['nothing', ''],
    ['half a lock', TEXT.slice(0, 200)],
    ['a comment', `// lock\n${TEXT}`],
    ['a comma too many', edit('"U",\n', '"U",,\n')],
    ['a quoted mail', TEXT.replaceAll(/^/gm, '> ')],
    ['a headline of signs', `========\n${TEXT}`],
  ],
  LOCK_CONFLICTED: [
    ['a conflict at the top', edit(/^/, CONFLICT), 1],
    ['a conflict in an entry', edit(VERSION, CONFLICT), 7],
    ['a conflict with CRLF', edit(VERSION, CONFLICT).replaceAll('\n', '\r\n'), 7],
    ['a conflict in diff3 style', edit(PROMPTS, '||||||| base\n$&'), 3],
    ['a conflict that is half resolved', edit(PROMPTS, '=======\n$&'), 3],
    ['a conflict that is half resolved, with CRLF', edit(PROMPTS, '=======\r\n$&'), 3],
    ['a conflict whose end is left over', edit(PROMPTS, '>>>>>>> main\n$&'), 3],
  ],
  LOCK_TOO_NEW: [
    ['a newer lock', NEWER, '12'],
    ['a newer lock with other content', '{ "lockVersion": 99, "entries": {} }', '99'],
    // It must stay one, which no pull writes anew.
    ['a newer lock with a conflict', edit(PROMPTS, `${CONFLICT}$&`, NEWER), '12'],
    ['a conflict over a newer version', edit(/^.*12,/m, VERSIONS, NEWER), '12'],
    ['a newer lock as another tool prints it', `=======\n${edit(': 12', ':12', NEWER)}`, '12'],
  ],
  LOCK_EDITED: [
    ['an edited line of text', edit('"S"', '"T"'), ['b']],
    ['an edited folder', edit('"support"', '"sales"'), ['a']],
    ['an edited temperature', edit('"temperature": null', '"temperature": 0.3'), ['b (staging)']],
    ['an edited version of several parts', TEXT.replaceAll('"v22"', '"v9"'), ['a', 'b', 'c']],
    ['an edited slug', edit('"slug": "b"', '"slug": "bb"'), ['bb', 'bb (staging)']],
    ['an edited join', edit('"join": "\\n\\n"', '"join": "\\n"'), ['a']],
    ['an edited source', edit('S and V', 'S or V'), ['b']],
    ['an edited integrity', edit(/sha256-.{5}/, 'sha256-AAAAA'), ['a']],
    ['a deleted hold', edit(/ *"held": \{[^}]*\},\n/, ''), ['b']],
    ['two parts that are swapped', swapped(), ['b', 'b (staging)']],
  ],
  LOCK_DUPLICATE: [
    ['a slug twice', edit(/ *\{\s+"slug": "a"[^}]+\}\s+\},\n/, '$&$&'), ['a']],
    ['a slug twice with another text', edit('    {\n', `${ENTRY},\n$&`), ['a']],
    ['two slugs twice', TWICE, ['a', 'c']],
  ],
  // The same value for `JSON.parse` in other bytes: a reviewer would not see what is built.
  LOCK_INVALID: [
    [
      'a duplicate key',
      edit('"folder"', '"folder": "x",\n$&'),
      'line 9, "a": duplicate key "folder"',
    ],
    [
      'a duplicate key with an escape',
      edit('"folder"', '"f\\u006flder": "x",\n$&'),
      'line 9, "a": duplicate key "folder"',
    ],
    ['decoy prompts', edit(PROMPTS, `${DECOY},\n$&`), 'duplicate key "prompts"'],
    [
      'a raw character that hides',
      edit('\\u202e', '\u202e'),
      'expected \\u202ey",, found ⟨U+202E⟩y',
    ],
    ['an escape that is not needed', edit('One', '\\u004fne'), '"a": expected One'],
    ['an escape in capitals', edit('\\u202e', '\\u202E'), '"c": expected e'],
    ['an escaped slash', edit('\\\\/', '\\\\\\/'), '"c": expected /'],
    ['another number of the same value', edit('0.2', '2e-1'), 'line 10, "a": expected 0.2'],
    [
      'another number in a lock on one line',
      edit('0.2', '2e-1', TEXT.replaceAll(/\n */g, '').replaceAll('": ', '":')),
      'line 1, "a": expected 0.2',
    ],
    ['a negative zero', edit(': 0,', ': -0,'), 'expected 0'],
    [
      'the key __proto__',
      edit('{', '{ "__proto__": {},'),
      'expected lockVersion", found __proto__": ',
    ],
    [
      'the key constructor in an entry',
      edit('"folder"', '"constructor": {},\n$&'),
      'line 8, "a": expected folder": "su, found constructor"',
    ],
    [
      'keys in another order',
      edit(/("slug": "a"),\s+("live": \{[^}]+\})/, '$2, $1'),
      'line 5: expected slug": "a",, found live": {',
    ],
    [
      'the staging part after the live part',
      edit(/"live": (\{[^}]+\})/, '$&, "staging": $1'),
      'line 6, "a": expected staging": {, found live": {',
    ],
    ['both join and source', edit('"join"', '"source": ["x", ""], $&'), 'found join": "\\n\\n'],
    ['neither join nor source', edit(/"join".+/, ''), 'expected join": "",, found integrity": '],
    [
      'a source that is a join',
      edit('"S and V"', '"S", "V"'),
      'expected join": "\\n",, found source": [',
    ],
    [
      'several lines in one element',
      edit(/One",\s+"Two/, 'One\\nTwo'),
      'expected ",, found \\nTwo",',
    ],
    ['no empty element at the end', edit(/(Two"),\s+"",\s+""/, '$1'), 'expected ", found Two"'],
    ['an empty element alone', edit(/"One"[^\]]+/, '""'), 'expected ],, found ""'],
    [
      'a hold at the wrong place',
      edit(/("held": \{[^}]+\}),\s+("integrity": ".+")/, '$2, $1'),
      'expected held": {, found integrity": ',
    ],

    ['a lone carriage return', edit(',\n', ',\r'), 'a carriage return without a line feed'],
    ['a carriage return before a line end', edit(',\n', ',\r\r\n'), 'a carriage return without'],
    ['old line ends of a Mac', TEXT.replaceAll('\n', '\r'), 'a carriage return without'],
    [
      'a long indentation',
      edit(/\n +"folder/, `\n${' '.repeat(5000)}"folder`),
      'more than 64 spaces',
    ],
    ['many tabs', edit(/\n +"folder/, `\n${'\t'.repeat(200)}"folder`), 'more than 64 spaces'],
    ['spaces in a line', edit('[\n', `[${' '.repeat(100)}`), 'more than 64 spaces'],
    ['spaces before a line end', edit(',\n', `,${' '.repeat(100)}\n`), 'more than 64 spaces'],
    ['empty lines', edit(',\n', `,${'\n'.repeat(300)}`), 'more than one empty line'],
    ['two empty lines with spaces', edit(',\n', ',\n  \n\t\n'), 'more than one empty line'],
    ['empty lines at the end', edit(/\n$/, '\n'.repeat(50)), 'more than one empty line'],

    ['an array', '[]', 'expected an object'],
    ['null', 'null', 'expected an object'],
    ['a text', '"lock"', 'expected an object'],
    ['a number', '1', 'expected an object'],
    ['an empty object', '{}', ['lockVersion: missing', 'prompts: missing']],
    ['an odd version', edit(/: \d+,/, ': "2",'), `lockVersion: expected ${LOCK_VERSION}`],
    ['the version 0', edit(/: \d+,/, ': 0,'), `lockVersion: expected ${LOCK_VERSION}`],
    ['a view', edit(PROMPTS, '  "environment": "live",\n$&'), 'environment: unknown key'],
    ['prompts in an object', edit(/\[[^]+\]/, '{}'), 'prompts: expected an array'],
    [
      'unknown keys',
      edit(
        '"slug": "a"',
        '"draft": 1, $&',
        edit('"folder"', '"note": 1, $&', edit('{', '{ "at": 1,')),
      ),
      [
        'prompts[0] (a): live.note: unknown key',
        'prompts[0] (a): draft: unknown key',
        'at: unknown key',
      ],
    ],
    ['an entry without a part', lockJson('{"slug":"a","live":null}'), 'a: neither a live nor a st'],
    [
      'a staging part that is null',
      edit('"live": {', '"staging": null, $&'),
      '(a): staging: expected an',
    ],
    ['an entry that is none', edit(/\n {2}\]\n/, ', null]\n'), 'prompts[3]: expected an object'],
    ['a join that is a word', edit('"\\n\\n"', '" and "'), '(a): live.join: expected white space'],
    ['an infinite temperature', edit('0.2', '1e999'), 'live.temperature: expected a finite number'],
    ['a hold without a reason', edit(/"reason".+/, ''), '(b): live.held.reason: missing'],
    [
      'wrong types',
      lockJson(
        `{"slug":1,"live":{${NO_SETTINGS},"system":"S","user":[1],"source":"","integrity":1}}`,
        '{}',
        '{"slug":"b","staging":{},"live":1}',
      ),
      [
        'prompts[0]: slug: expected a string',
        ...Object.keys(SETTINGS).map((name) => `prompts[0]: live.${name}: expected a`),
        'prompts[0]: live.system: expected an array of lines',
        'prompts[0]: live.user: expected an array of lines',
        'prompts[0]: live.source: expected an array of lines',
        'prompts[0]: live.integrity: expected a string',
        'prompts[1]: slug: missing',
        'prompts[1]: live: missing',
        ...[...Object.keys(SETTINGS), 'system', 'user', 'integrity'].map(
          (key) => `prompts[2] (b): staging.${key}: missing`,
        ),
        'prompts[2] (b): live: expected an object',
      ],
    ],
  ],
}

const SYNTAX = { cause: expect.any(SyntaxError) }

/** What the refusal of a text has, by its code. */
function refusal(code: string, given: unknown): object {
  if (code === 'LOCK_SYNTAX') return { fault: { code }, ...SYNTAX }
  if (code === 'LOCK_CONFLICTED') return { fault: { code, details: { line: given } }, ...SYNTAX }
  if (code === 'LOCK_TOO_NEW')
    return { fault: { code, details: { found: given, known: LOCK_VERSION } } }
  if (code === 'LOCK_EDITED' || code === 'LOCK_DUPLICATE')
    return { fault: { code, details: { slugs: given } } }
  const problems = [given].flat().map((problem) => expect.stringContaining(`${problem}`))
  return { fault: { code, details: { problems } } }
}

const ROWS = Object.entries(REFUSED).flatMap(([code, rows]) =>
  rows.map(([title, text, given]) => [title, code, text, given] as const),
)

test.each([
  ['a word in an entry', (lock: string) => lock.replace('0.2', 'x'), 5, 'a'],
  [
    'a line without its quote in another one',
    (lock: string) => lock.replace(/"(at position 3)/, '$1'),
    21,
    'b',
  ],
  ['a comment', (lock: string) => `// lock\n${lock}`, 1, undefined],
  ['a missing comma', (lock: string) => lock.replace('"v22",', '"v22"'), 8, 'a'],
  ['an early end', (lock: string) => lock.slice(0, lock.indexOf('"c"')), 37, undefined],
])('the error of %s names its entry', (_, edited, line, slug) => {
  const lock = liveLock({ slug: 'a' }, { slug: 'b', system: 'at position 3' }, { slug: 'c' })
  const text = edited(printLock(lock, sha256))
  const details = { line, slug }
  expect(parseLock(text, sha256)).toMatchObject({ fault: { code: 'LOCK_SYNTAX', details } })
})

test.each(ROWS)('%s makes a lock %s', (_, code, text, given) => {
  expect(text).not.toBe(TEXT)
  expect(parseLock(text, sha256)).toMatchObject(refusal(code, given))
  expect(shippedFrom(text)).toMatchObject({ kind: 'fault' })
  if (code !== 'LOCK_INVALID') return
  // Also in a formatted file, and by an attacker who made all hashes fit.
  const formatted = text.replaceAll('\n ', '\n\t ')
  const forged = text.replaceAll(/sha256-[^"]+/g, 'sha256-any')
  expect(parseLock(formatted, sha256)).toMatchObject(refusal(code, given))
  expect(parseLock(forged, () => 'sha256-any')).toMatchObject(refusal(code, given))
})

/** The lock of a build that ships every part, or its refusal. */
function shippedFrom(text: string): object {
  const fail = (fault: FaultyLock): never => {
    throw fault
  }
  try {
    const opened = openLock(text, sha256, fail)
    return 'kind' in opened ? opened : verified(opened)
  } catch (fault) {
    return Object(fault)
  }
}

/** The lock with the parts of `b` in each other's place. */
function swapped(): string {
  const [, live = '', staging = ''] =
    /"staging": (\{[^}]+\}),\s+"live": (\{[^]+?\}[^}]+\})/.exec(TEXT) ?? []
  return TEXT.replace(live, '%').replace(staging, live).replace('%', staging)
}

test('a prompt about conflict markers is not a conflict', () => {
  const lock = liveLock({ system: '<<<<<<< HEAD\n=======\n>>>>>>> main\n' })
  expect(parsedLock(printLock(lock, sha256))).toEqual(lock)
})

describe('a change of any byte', () => {
  const bytes = Buffer.from(TEXT)
  const byte = fc.oneof(fc.constantFrom(...Buffer.from(' \t\n\r",:\\{}[]nu0')), fc.nat(255))

  test.each([
    ['replaced', 1, 1],
    ['inserted', 0, 1],
    ['removed', 1, 0],
  ])('a lock is an error or equal after any byte is %s', (_, removed, inserted) => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), byte, (at, other) => {
        const tail = [...(inserted === 1 ? [other] : []), ...bytes.subarray(at + removed)]
        const text = Buffer.concat([bytes.subarray(0, at), Buffer.from(tail)]).toString()
        const parsed = parseLock(text, sha256)
        if (parsed.kind === 'lock') expect(parsed.lock).toEqual(LOCK)
      }),
      { seed: 66, numRuns: sweepRuns(600) },
    )
  })
})

test.each([
  ['["a b\\""]', '[ "a b\\"" ]', true],
  ['["\\\\", "b"]', '[\t"\\\\",\r\n"b"]', true],
  ['["a b"]', '["ab"]', false],
  ['["\\\\", "b c"]', '["\\\\","bc"]', false],
  ['["a', '["a ', false],
  ['[1]', '[1, 2]', false],
  ['[1, 2]', '[1]', false],
  ['[1', '[1]', false],
])('%s and %s are the same JSON: %s, as white space matters only in strings', (a, b, want) => {
  expect(isSameJson(a, b)).toBe(want)
})

const WHOLE = printLock(liveLock({ system: 'S', held: { reason: '' } }), sha256)

describe('a value of another type is refused in the printed form as in any other', () => {
  const values = [null, true, 0, '', '0', [], [''], [0, ''], [['S'], ''], {}, { reason: 0 }]
  const parts = ['live', 'staging']
  const fields = Object.keys(JSON.parse(WHOLE).prompts[0].live)

  /** The code for an attacker who made the hash fit. */
  const codeOf = (text: string): string | undefined => {
    const parsed = parseLock(text, () => 'sha256-any')
    return parsed.kind === 'fault' ? parsed.fault.code : undefined
  }

  test.each(['slug', 'source', ...parts, ...fields])('%s', (field) => {
    for (const value of values) {
      const lock = JSON.parse(WHOLE.replaceAll(/sha256-[^"]+/g, 'sha256-any'))
      const [entry] = lock.prompts
      const target = ['slug', ...parts].includes(field) ? entry : entry.live
      target[field] = value
      const printed = `${JSON.stringify(lock, undefined, 2)}\n`
      expect([value, codeOf(printed)]).toEqual([value, codeOf(JSON.stringify(lock))])
    }
  })
})
