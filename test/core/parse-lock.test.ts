import { describe, expect, test } from 'vitest'
import { printLock } from '../../src/core/lock.ts'
import { parseLock } from '../../src/core/parse-lock.ts'
import type { PromptsError } from '../../src/errors.ts'
import { sha256 } from '../../src/io/digest.ts'
import { liveLock, LOCK_SOURCE } from '../helpers/pinned.ts'

const LOCK = liveLock(
  { slug: 'a', system: 'One\nTwo\n', user: 'U' },
  { slug: 'b', system: 'S', user: 'U', source: 'S and U' },
)
const TEXT = printLock(LOCK, sha256)

/** What the text of a lock is refused with. */
function fault(text: string): PromptsError {
  const parsed = parseLock(text, LOCK_SOURCE, sha256)
  if (parsed.kind === 'fault') return parsed.error
  throw new Error('Expected a fault.')
}

/** The lock as a JSON value with something changed. */
function changed(
  change: (lock: { prompts: Record<string, unknown>[] } & Record<string, unknown>) => void,
): string {
  const value = JSON.parse(TEXT)
  change(value)
  return JSON.stringify(value)
}

describe('a lock is read whatever its form', () => {
  test.each([
    ['a CRLF checkout (FAULTS 52)', TEXT.replaceAll('\n', '\r\n')],
    ['no newline at the end', TEXT.trimEnd()],
    ['another indentation', JSON.stringify(JSON.parse(TEXT))],
    [
      'entries in another order',
      changed((lock) => Object.assign(lock, { prompts: lock.prompts.toReversed() })),
    ],
    ['lines cut elsewhere', TEXT.replace('"One\\n",\n        "Two\\n"', '"One\\nTwo\\n"')],
  ])('%s', (_, text) => {
    expect(parseLock(text, LOCK_SOURCE, sha256)).toEqual({ kind: 'lock', lock: LOCK })
  })
})

describe('a hand edit names its entry (FAULTS 49)', () => {
  test.each([
    ['a line of text', TEXT.replace('"One\\n"', '"Won\\n"'), ['a']],
    ['a folder', TEXT.replace('"support"', '"sales"'), ['a']],
    ['a temperature', TEXT.replace('0.2', '0.3'), ['a']],
    ['a version', TEXT.replaceAll('"v22"', '"v23"'), ['a', 'b']],
    ['a slug', TEXT.replace('"slug": "b"', '"slug": "c"'), ['c']],
    ['a join', TEXT.replace('"join": "\\n\\n"', '"join": "\\n"'), ['a']],
    ['the source', TEXT.replace('S and U', 'S or U'), ['b']],
    ['the integrity', TEXT.replace(/sha256-.{5}/, 'sha256-AAAAA'), ['a']],
  ])('%s', (_, text, slugs) => {
    const error = fault(text)
    expect(error).toMatchObject({
      code: 'LOCK_EDITED',
      details: { path: 'prompts.lock.json', slugs },
    })
    for (const slug of slugs) expect(error.message).toContain(`\n  - ${slug}`)
  })
})

const CONFLICT = `<<<<<<< HEAD
      "version": "v22",
=======
      "version": "v23",
>>>>>>> main
`

describe('a newer lock with a merge conflict stays one, which no pull writes anew (FAULTS 51)', () => {
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

describe('a merge conflict is named with its line (FAULTS 50)', () => {
  test.each([
    ['at the top', `${CONFLICT}${TEXT}`, 1],
    ['in an entry', TEXT.replace('      "version": "v22",\n', CONFLICT), 10],
    ['with CRLF', TEXT.replace('      "version": "v22",\n', CONFLICT).replaceAll('\n', '\r\n'), 10],
    ['in diff3 style', TEXT.replace('  "prompts"', '||||||| base\n  "prompts"'), 4],
    ['half resolved', TEXT.replace('  "prompts"', '=======\n  "prompts"'), 4],
    ['with its end left over', TEXT.replace('  "prompts"', '>>>>>>> main\n  "prompts"'), 4],
    ['half resolved with CRLF', TEXT.replace('  "prompts"', '=======\r\n  "prompts"'), 4],
  ])('%s', (_, text, line) => {
    expect(fault(text)).toMatchObject({
      code: 'LOCK_CONFLICTED',
      details: { path: 'prompts.lock.json', line },
      cause: expect.any(SyntaxError),
    })
  })

  test('prompts about conflicts are no conflict', () => {
    const lock = liveLock({ system: '<<<<<<< HEAD\n=======\n>>>>>>> main\n' })
    expect(parseLock(printLock(lock, sha256), LOCK_SOURCE, sha256)).toMatchObject({ kind: 'lock' })
  })
})

describe('text that is no JSON is a fault of syntax', () => {
  test.each([
    ['nothing', ''],
    ['half a lock', TEXT.slice(0, 200)],
    ['a comment', `// lock\n${TEXT}`],
    ['a comma too many', TEXT.replace('"U"\n', '"U",\n')],
    ['a quoted mail', TEXT.replaceAll(/^/gm, '> ')],
    ['a headline of signs', `========\n${TEXT}`],
  ])('%s', (_, text) => {
    expect(fault(text)).toMatchObject({
      code: 'LOCK_SYNTAX',
      details: { path: 'prompts.lock.json' },
      cause: expect.any(SyntaxError),
    })
  })
})

describe('a newer lock is refused, whatever it holds (FAULTS 51)', () => {
  test.each([
    ['2', changed((lock) => Object.assign(lock, { lockVersion: 2 }))],
    ['99', '{ "lockVersion": 99, "entries": {} }'],
  ])('version %s', (found, text) => {
    expect(fault(text)).toMatchObject({ code: 'LOCK_TOO_NEW', details: { found, known: 1 } })
  })
})

const SHAPES = [
  { title: 'an array', text: '[]', problems: ['it is not a JSON object'] },
  { title: 'null', text: 'null', problems: ['it is not a JSON object'] },
  { title: 'a text', text: '"lock"', problems: ['it is not a JSON object'] },
  { title: 'a number', text: '1', problems: ['it is not a JSON object'] },
  {
    title: 'an empty object',
    text: '{}',
    problems: ['lockVersion: expected 1', 'environment: expected "live" or "test"'],
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
    title: 'prompts that are no array',
    text: changed((lock) => Object.assign(lock, { prompts: {} })),
    problems: ['prompts: expected an array'],
  },
  {
    title: 'unknown keys, at the top and in an entry',
    text: changed((lock) => {
      Object.assign(lock, { generatedAt: 1 })
      Object.assign(lock.prompts[1] ?? {}, { note: '' })
    }),
    problems: ['generatedAt: unknown key', 'prompts[1].note: unknown key'],
  },
  {
    title: 'the key __proto__ (FAULTS 32)',
    text: TEXT.replace('{', '{ "__proto__": {},'),
    problems: ['__proto__: unknown key'],
  },
  {
    title: 'an entry that is none',
    text: changed((lock) => lock.prompts.push(null as never)),
    problems: ['prompts[2]: expected an object'],
  },
  {
    title: 'entries that are none, which have no slug to stand there twice',
    text: changed((lock) => Object.assign(lock, { prompts: [null, null, 'a'] })),
    problems: [0, 1, 2].map((index) => `prompts[${index}]: expected an object`),
  },
  {
    title: 'a slug twice',
    text: changed((lock) => lock.prompts.push(...lock.prompts.slice(0, 1))),
    problems: ['prompts: “a” stands there twice'],
  },
  {
    title: 'both join and source',
    text: changed((lock) => Object.assign(lock.prompts[0] ?? {}, { source: ['x'] })),
    problems: ['prompts[0]: expected either join or source'],
  },
  {
    title: 'an infinite temperature',
    text: TEXT.replace('0.2', '1e999'),
    problems: ['prompts[0].temperature: expected a finite number'],
  },
  {
    title: 'wrong types, all at once',
    text: JSON.stringify({
      lockVersion: 1,
      environment: 'live',
      prompts: [
        { slug: 1, folder: null, model: [], temperature: '0', version: 22, system: 'S', user: [1] },
        {},
      ],
    }),
    problems: [
      'prompts[0].system: expected an array of lines',
      'prompts[0].user: expected an array of lines',
      'prompts[0]: expected either join or source',
      'prompts[0].slug: expected a string',
      'prompts[0].folder: expected a string',
      'prompts[0].model: expected a string',
      'prompts[0].temperature: expected a finite number',
      'prompts[0].version: expected a string',
      'prompts[0].source: expected an array of lines',
      'prompts[0].integrity: expected a string',
      'prompts[1].system: expected an array of lines',
      'prompts[1].user: expected an array of lines',
      'prompts[1]: expected either join or source',
      'prompts[1].slug: expected a string',
      'prompts[1].folder: expected a string',
      'prompts[1].model: expected a string',
      'prompts[1].temperature: expected a finite number',
      'prompts[1].version: expected a string',
      'prompts[1].source: expected an array of lines',
      'prompts[1].integrity: expected a string',
    ],
  },
]

describe('what is no lock is refused with all its problems', () => {
  test.each(SHAPES)('$title', ({ text, problems }) => {
    expect(fault(text)).toMatchObject({ code: 'LOCK_INVALID', details: { problems } })
  })
})
