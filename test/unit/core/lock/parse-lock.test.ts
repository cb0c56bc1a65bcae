import { describe, expect, test } from 'vitest'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import { type LockFault, parseLock } from '../../../../src/core/lock/parse-lock.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { liveLock, lockOf, parsedLock } from '../../../helpers/pinned.ts'

const LOCK = liveLock(
  { slug: 'a', system: 'One\nTwo\n', user: 'U' },
  { slug: 'b', system: 'S', user: 'U', source: 'S and U' },
)
const TEXT = printLock(LOCK, sha256)

/** What the text of a lock is refused with. */
function fault(text: string): LockFault & { cause?: unknown } {
  const parsed = parseLock(text, sha256)
  if (parsed.kind === 'fault') return { ...parsed.fault, cause: parsed.cause }
  throw new Error('Expected a fault.')
}

/** The same for an attacker who made all hashes fit. */
function forgedFault(text: string): LockFault | undefined {
  const parsed = parseLock(text.replaceAll(/sha256-[^"]+/g, 'sha256-any'), () => 'sha256-any')
  return parsed.kind === 'fault' ? parsed.fault : undefined
}

/** The lock as a JSON value with something changed. */
function changed(
  change: (lock: { prompts: Record<string, unknown>[] } & Record<string, unknown>) => void,
): string {
  const value = JSON.parse(TEXT)
  change(value)
  return JSON.stringify(value)
}

describe('white space between tokens, line ends and a missing last one do not matter', () => {
  test.each([
    ['a CRLF checkout', TEXT.replaceAll('\n', '\r\n')],
    ['no newline at the end', TEXT.trimEnd()],
    ['tabs', TEXT.replaceAll(/^ +/gm, (spaces) => '\t'.repeat(spaces.length / 2))],
    ['one line', JSON.stringify(JSON.parse(TEXT))],
    [
      'short arrays on one line, as Prettier prints them',
      TEXT.replaceAll(/\[\s+(".*",)\s+("")\s+\]/g, '[$1 $2]'),
    ],
    ['CRLF, tabs and blank lines', TEXT.replaceAll('\n', '\r\n\r\n\t')],
  ])('%s', (_, text) => {
    expect(text).not.toBe(TEXT)
    const parsed = parseLock(text, sha256)
    expect(parsed).toMatchObject({ kind: 'lock', lock: LOCK, unsorted: undefined })
  })
})

describe('intact entries in the wrong order are accepted', () => {
  test('also after one in its place', () => {
    const entries = ['a', 'b', 'c'].map((slug) => ({ slug }))
    const value = JSON.parse(printLock(liveLock(...entries), sha256))
    value.prompts.push(value.prompts.splice(1, 1)[0])
    const parsed = parseLock(JSON.stringify(value), sha256)
    expect(parsed).toMatchObject({ unsorted: 'b' })
  })

  const reversed = changed((lock) => Object.assign(lock, { prompts: lock.prompts.toReversed() }))

  test.each([
    ['as printed', `${JSON.stringify(JSON.parse(reversed), undefined, 2)}\n`],
    ['formatted', reversed],
  ])('and reported: %s', (_, text) => {
    expect(parseLock(text, sha256)).toMatchObject({ lock: LOCK, unsorted: 'a' })
  })
})

const HIDDEN = liveLock({ slug: 'a', system: 'One\u202etwo\n', folder: 'A\\/"\u0001' })
const ESCAPED = printLock(HIDDEN, sha256)
const DECOY = printLock(liveLock({ slug: 'a', system: 'Decoy' }), sha256)
const DECOYS = DECOY.slice(DECOY.indexOf('  "prompts"'), DECOY.lastIndexOf('\n}'))

/** Same value for `JSON.parse`, other bytes: what a reviewer sees is not what is built. */
const FORMS: readonly (readonly [title: string, text: string, problem: string])[] = [
  [
    'a duplicate key in an entry',
    TEXT.replace('        "folder"', '        "folder": "other",\n        "folder"'),
    'line 9, "a": duplicate key "folder"',
  ],
  [
    'a duplicate key with an escape',
    TEXT.replace('        "folder"', '        "f\\u006flder": "other",\n        "folder"'),
    'line 9, "a": duplicate key "folder"',
  ],
  [
    'a duplicate key at the top, with decoy entries',
    TEXT.replace('  "prompts"', `${DECOYS},\n  "prompts"`),
    'duplicate key "prompts"',
  ],
  [
    'a raw character that changes the reading direction',
    ESCAPED.replace('\\u202e', '\u202e'),
    'line 13, "a": expected \\u202etwo",, found ⟨U+202E⟩two',
  ],
  ['an escape that is not needed', TEXT.replace('One', '\\u004fne'), 'line 13, "a": expected One'],
  ['an escape in capitals', ESCAPED.replace('\\u202e', '\\u202E'), 'line 13, "a": expected e'],
  ['an escaped slash', ESCAPED.replace('\\\\/', '\\\\\\/'), 'line 8, "a": expected /'],
  ['another number of the same value', TEXT.replace('0.2', '2e-1'), 'line 10, "a": expected 0.2'],
  [
    'a negative zero',
    printLock(liveLock({ temperature: 0 }), sha256).replace(': 0,', ': -0,'),
    'expected 0',
  ],
]

describe('a text that is not canonical is an error with its line', () => {
  test.each(FORMS)('%s', (_, text, problem) => {
    expect(JSON.parse(text)).toHaveProperty('prompts')
    const indented = text.replaceAll('\n ', '\n\t ')
    for (const each of [fault(text), fault(indented), forgedFault(text)])
      expect(each).toMatchObject({
        code: 'LOCK_INVALID',
        details: { problems: [expect.stringContaining(problem)] },
      })
  })
})

const STAGED = printLock(
  lockOf({
    live: [{ slug: 'a' }, { slug: 'b', system: 'S', user: 'U', held: { reason: 'Legal' } }],
    staging: [{ slug: 'a', version: 'v23' }],
  }),
  sha256,
)

/** A lock whose first entry has its parts swapped. */
function swapped(): string {
  const lock = JSON.parse(STAGED)
  const [{ live, staging }] = lock.prompts
  Object.assign(lock.prompts[0], { live: staging, staging: live })
  return JSON.stringify(lock)
}

describe('a hand edit names its part', () => {
  test.each([
    ['a line of text', STAGED.replace('"S"', '"T"'), ['b']],
    ['a folder', STAGED.replace('"support"', '"sales"'), ['a (staging)']],
    ['no temperature', STAGED.replace('0.2', 'null'), ['a (staging)']],
    ['a version', STAGED.replaceAll('"v22"', '"v23"'), ['a', 'b']],
    ['a slug', STAGED.replace('"slug": "a"', '"slug": "c"'), ['c', 'c (staging)']],
    ['a join', STAGED.replace('"join": "\\n\\n"', '"join": "\\n"'), ['b']],
    ['the source', TEXT.replace('S and U', 'S or U'), ['b']],
    ['the integrity', TEXT.replace(/sha256-.{5}/, 'sha256-AAAAA'), ['a']],
    ['swapped parts', swapped(), ['a', 'a (staging)']],
    ['a deleted hold', STAGED.replace(/ *"held": \{[^}]*\},\n/, ''), ['b']],
  ])('%s', (_, text, slugs) => {
    expect(fault(text)).toMatchObject({ code: 'LOCK_EDITED', details: { slugs } })
  })
})

const VERSION = '        "version": "v22",\n'
const CONFLICT = `<<<<<<< HEAD
${VERSION}=======
        "version": "v23",
>>>>>>> main
`

describe('a newer lock with a merge conflict stays one, which no pull writes anew', () => {
  test.each([
    ['in an entry', CONFLICT],
    ['over the version', `<<<<<<< HEAD\n  "lockVersion": 1,\n=======\n>>>>>>> main\n`],
  ])('%s', (_, conflict) => {
    const text = TEXT.replace('"lockVersion": 1', '"lockVersion": 12')
    expect(fault(text.replace('  "prompts"', `${conflict}  "prompts"`))).toMatchObject({
      code: 'LOCK_TOO_NEW',
      details: { found: '12' },
    })
  })

  test('without a space, as another tool may print it', () => {
    const text = TEXT.replace('"lockVersion": 1', '"lockVersion":2')
    expect(fault(CONFLICT + text)).toMatchObject({ code: 'LOCK_TOO_NEW' })
  })
})

describe('a merge conflict is named with its line', () => {
  test.each([
    ['at the top', `${CONFLICT}${TEXT}`, 1],
    ['in an entry', TEXT.replace(VERSION, CONFLICT), 11],
    ['with CRLF', TEXT.replace(VERSION, CONFLICT).replaceAll('\n', '\r\n'), 11],
    ['in diff3 style', TEXT.replace('  "prompts"', '||||||| base\n  "prompts"'), 4],
    ['half resolved', TEXT.replace('  "prompts"', '=======\n  "prompts"'), 4],
    ['with its end left over', TEXT.replace('  "prompts"', '>>>>>>> main\n  "prompts"'), 4],
    ['half resolved with CRLF', TEXT.replace('  "prompts"', '=======\r\n  "prompts"'), 4],
  ])('%s', (_, text, line) => {
    expect(fault(text)).toMatchObject({
      code: 'LOCK_CONFLICTED',
      details: { line },
      cause: expect.any(SyntaxError),
    })
  })

  test('prompts about conflict markers are not a conflict', () => {
    const lock = liveLock({ system: '<<<<<<< HEAD\n=======\n>>>>>>> main\n' })
    expect(parsedLock(printLock(lock, sha256))).toEqual(lock)
  })
})

describe('invalid JSON is LOCK_SYNTAX', () => {
  test.each([
    ['nothing', ''],
    ['half a lock', TEXT.slice(0, 200)],
    ['a comment', `// lock\n${TEXT}`],
    ['a comma too many', TEXT.replace('"U",\n', '"U",,\n')],
    ['a quoted mail', TEXT.replaceAll(/^/gm, '> ')],
    ['a headline of signs', `========\n${TEXT}`],
  ])('%s', (_, text) => {
    expect(fault(text)).toMatchObject({
      code: 'LOCK_SYNTAX',
      cause: expect.any(SyntaxError),
    })
  })
})

describe('a newer lock is LOCK_TOO_NEW, whatever its content', () => {
  test.each([
    ['2', changed((lock) => Object.assign(lock, { lockVersion: 2 }))],
    ['99', '{ "lockVersion": 99, "entries": {} }'],
  ])('version %s', (found, text) => {
    expect(fault(text)).toMatchObject({ code: 'LOCK_TOO_NEW', details: { found, known: 1 } })
  })
})

/** The fields of a live part of a JSON value. */
function liveOf(lock: { prompts: Record<string, unknown>[] }, index: number): object {
  return Object(lock.prompts[index]?.['live'])
}

/** The same, printed in lines. */
function printed(change: Parameters<typeof changed>[0]): string {
  return `${JSON.stringify(JSON.parse(changed(change)), undefined, 2)}\n`
}

const SHAPES = [
  { title: 'an array', text: '[]', problems: ['expected an object'] },
  { title: 'null', text: 'null', problems: ['expected an object'] },
  { title: 'a text', text: '"lock"', problems: ['expected an object'] },
  { title: 'a number', text: '1', problems: ['expected an object'] },
  {
    title: 'an empty object',
    text: '{}',
    problems: ['lockVersion: missing', 'environment: missing', 'prompts: missing'],
  },
  {
    title: 'an older or odd version',
    text: changed((lock) => Object.assign(lock, { lockVersion: '2' })),
    problems: ['lockVersion: expected 1'],
  },
  {
    title: 'another environment',
    text: changed((lock) => Object.assign(lock, { environment: 'staging' })),
    problems: ['environment: expected "live" or "test"'],
  },
  {
    title: 'prompts that are not an array',
    text: changed((lock) => Object.assign(lock, { prompts: {} })),
    problems: ['prompts: expected an array'],
  },
  {
    title: 'unknown keys, at the top, in an entry and in a part',
    text: changed((lock) => {
      Object.assign(lock, { generatedAt: 1 })
      Object.assign(lock.prompts[0] ?? {}, { draft: null })
      Object.assign(liveOf(lock, 1), { note: '' })
    }),
    problems: [
      'prompts[0] (a): draft: unknown key',
      'prompts[1] (b): live.note: unknown key',
      'generatedAt: unknown key',
    ],
  },
  {
    title: 'an entry without a part',
    text: changed((lock) => Object.assign(lock.prompts[0] ?? {}, { live: null })),
    problems: ['a: neither a live nor a staging part'],
  },
  {
    title: 'a staging part that is null',
    text: changed((lock) => Object.assign(lock.prompts[0] ?? {}, { staging: null })),
    problems: ['prompts[0] (a): staging: expected an object'],
  },
  {
    title: 'the staging part after the live part',
    text: printed((lock) => Object.assign(lock.prompts[0] ?? {}, { staging: liveOf(lock, 0) })),
    problems: ['line 7, "a": expected staging": {, found live": {'],
  },
  {
    title: 'the key __proto__',
    text: TEXT.replace('{', '{ "__proto__": {},'),
    problems: ['line 1: expected lockVersion", found __proto__": '],
  },
  {
    title: 'the key constructor in an entry',
    text: TEXT.replace('"folder"', '"constructor": {},\n        "folder"'),
    problems: ['line 8, "a": expected folder": "su, found constructor"'],
  },
  {
    title: 'keys in another order',
    text: printed((lock) => {
      const { slug, ...rest } = lock.prompts[0] ?? {}
      lock.prompts[0] = { ...rest, slug }
    }),
    problems: ['line 6: expected slug": "a",, found live": {'],
  },
  {
    title: 'an entry that is none',
    text: changed((lock) => lock.prompts.push(null as never)),
    problems: ['prompts[2]: expected an object'],
  },
  {
    title: 'a slug twice',
    text: changed((lock) => lock.prompts.push(...lock.prompts.slice(0, 1))),
    problems: ['duplicate slug a'],
  },
  {
    title: 'both join and source',
    text: printed((lock) => Object.assign(liveOf(lock, 0), { source: ['x', ''] })),
    problems: ['line 22, "a": expected source": [, found join": "\\n\\n'],
  },
  {
    title: 'neither join nor source',
    text: printed((lock) => Reflect.deleteProperty(liveOf(lock, 0), 'join')),
    problems: ['line 22, "a": expected join": "",, found integrity": '],
  },
  {
    title: 'a join that is more than white space',
    text: changed((lock) => Object.assign(liveOf(lock, 0), { join: ' and ' })),
    problems: ['prompts[0] (a): live.join: expected white space'],
  },
  {
    title: 'a source that is a join',
    text: printed((lock) => Object.assign(liveOf(lock, 1), { source: ['S', 'U', ''] })),
    problems: ['line 41, "b": expected join": "\\n",, found source": ['],
  },
  ...[
    {
      title: 'several lines in one element',
      system: ['One\nTwo\n', ''],
      problem: '13, ",, \\nTwo\\n",',
    },
    { title: 'no empty element at the end', system: ['One', 'Two'], problem: '14, ", Two"' },
    { title: 'an empty element alone', system: [''], problem: '13, ],, ""' },
  ].map(({ title, system, problem }) => {
    const [line, expected, found] = problem.split(', ')
    return {
      title,
      text: printed((lock) => Object.assign(liveOf(lock, 0), { system })),
      problems: [`line ${line}, "a": expected ${expected}, found ${found}`],
    }
  }),
  {
    title: 'an infinite temperature',
    text: TEXT.replace('0.2', '1e999'),
    problems: ['prompts[0] (a): live.temperature: expected a finite number'],
  },
  {
    title: 'a held mark without a reason',
    text: changed((lock) => Object.assign(liveOf(lock, 0), { held: {} })),
    problems: ['prompts[0] (a): live.held.reason: missing'],
  },
  {
    title: 'a held mark at the wrong place',
    text: printed((lock) => Object.assign(liveOf(lock, 0), { held: { reason: '' } })),
    problems: ['line 23, "a": expected held": {, found integrity": '],
  },
  {
    title: 'wrong types, all at once',
    text: JSON.stringify({
      lockVersion: 1,
      environment: 'live',
      prompts: [
        {
          slug: 1,
          live: {
            folder: null,
            model: [],
            temperature: '0',
            version: 22,
            system: 'S',
            user: [1],
            source: '',
            integrity: 1,
          },
        },
        {},
        { slug: 'b', staging: {}, live: 1 },
      ],
    }),
    problems: [
      'prompts[0]: slug: expected a string',
      'prompts[0]: live.folder: expected a string',
      'prompts[0]: live.model: expected a string',
      'prompts[0]: live.temperature: expected a finite number',
      'prompts[0]: live.version: expected a string',
      'prompts[0]: live.system: expected an array of lines',
      'prompts[0]: live.user: expected an array of lines',
      'prompts[0]: live.source: expected an array of lines',
      'prompts[0]: live.integrity: expected a string',
      'prompts[1]: slug: missing',
      'prompts[1]: live: missing',
      ...['folder', 'model', 'temperature', 'version', 'system', 'user', 'integrity'].map(
        (key) => `prompts[2] (b): staging.${key}: missing`,
      ),
      'prompts[2] (b): live: expected an object',
    ],
  },
]

describe('an invalid lock is an error with all its problems', () => {
  test.each(SHAPES)('$title', ({ text, problems }) => {
    expect(fault(text)).toMatchObject({ code: 'LOCK_INVALID', details: { problems } })
    expect(forgedFault(text)).toEqual({ code: 'LOCK_INVALID', details: { problems } })
  })
})
