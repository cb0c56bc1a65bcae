import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import type { Lock } from '../../../../src/core/prompt.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { hostilePrompts } from '../../../helpers/hostile.ts'
import { UNPRINTABLE } from '../../../helpers/unprintable.ts'
import { liveLock, parsedLock, pinned } from '../../../helpers/pinned.ts'
import { sweep } from '../../../helpers/sweep.ts'

/** A digest to read in expectations. */
const SHORT = (): string => 'sha256-short'

const LOCK = liveLock(
  { slug: 'triage', system: 'Be kind.\nBe brief.\n', user: '{{ ticket }}' },
  { slug: 'a', system: 'S', user: '', source: 'S!', temperature: -1e-7, folder: '' },
)

const TEXT = `{
  "lockVersion": 1,
  "environment": "live",
  "prompts": [
    {
      "slug": "a",
      "folder": "",
      "model": "gpt-5",
      "temperature": -1e-7,
      "version": "v22",
      "system": [
        "S"
      ],
      "user": [],
      "source": [
        "S!"
      ],
      "integrity": "sha256-short"
    },
    {
      "slug": "triage",
      "folder": "support",
      "model": "gpt-5",
      "temperature": 0.2,
      "version": "v22",
      "system": [
        "Be kind.\\n",
        "Be brief.\\n"
      ],
      "user": [
        "{{ ticket }}"
      ],
      "join": "\\n\\n",
      "integrity": "sha256-short"
    }
  ]
}
`

/** What a lock becomes on disk and back. */
function roundTrip(lock: Lock): Lock {
  return parsedLock(printLock(lock, sha256))
}

describe('a printed lock', () => {
  test('is JSON with two spaces, LF, keys in a fixed order, text by lines, a newline at its end', () => {
    expect(printLock(LOCK, SHORT)).toBe(TEXT)
  })

  test('has a held mark between the prompt and the integrity, which covers both', () => {
    const prompt = pinned({ slug: 'a', system: 'S', held: { reason: 'Legal\u200b.' } })
    const text = printLock(liveLock(prompt), SHORT)
    const mark = '      "held": {\n        "reason": "Legal\\u200b."\n      },\n'
    expect(text).toContain(`      "join": "",\n${mark}      "integrity": "sha256-short"\n`)
    const plain = printLock(liveLock({ ...prompt, held: undefined }), SHORT)
    expect(text.replace(mark, '')).toBe(plain)
    const hashed: string[] = []
    printLock(liveLock(prompt), (bytes) => String(hashed.push(bytes)))
    expect(hashed).toEqual([expect.stringContaining(mark.slice(0, -2))])
  })

  test('of no prompts is short', () => {
    expect(printLock(liveLock(), SHORT)).toBe(
      '{\n  "lockVersion": 1,\n  "environment": "live",\n  "prompts": []\n}\n',
    )
  })

  test('contains the environment', () => {
    expect(printLock({ environment: 'test', prompts: [] }, SHORT)).toContain(
      '"environment": "test"',
    )
  })

  test('is the same for the same prompts in any order, with fields in any order', () => {
    const reordered = LOCK.prompts
      .toReversed()
      .map((prompt) => Object.fromEntries(Object.entries(prompt).toReversed()))
    const other = { prompts: reordered, environment: 'live' } as unknown as Lock
    expect(printLock(other, sha256)).toBe(printLock(LOCK, sha256))
  })

  test('sorts by code point: U+FFFF before an emoji', () => {
    const text = printLock(
      liveLock({ slug: '😀' }, { slug: '\uffff' }, { slug: 'Z' }, { slug: 'a' }),
      SHORT,
    )
    expect([...text.matchAll(/"slug": "(.*)"/g)].map(([, slug]) => slug)).toEqual([
      'Z',
      'a',
      '\uffff',
      '😀',
    ])
  })

  test('has no line ends inside but LF, and nothing invisible', () => {
    const system = 'a\r\nb\rc\u2028d\u202ee\0f'
    const text = printLock(liveLock({ slug: 's\r', system }), SHORT)
    expect(text.replaceAll('\n', '')).not.toMatch(UNPRINTABLE)
  })
})

describe('printed and read, a lock is what it was', () => {
  test('a plain one', () => {
    const prompts = LOCK.prompts.toReversed()
    expect(roundTrip(LOCK)).toEqual({ ...LOCK, prompts })
  })

  test('any prompts', () => {
    fc.assert(
      fc.property(hostilePrompts, fc.constantFrom('live', 'test'), (prompts, environment) => {
        const text = printLock({ environment, prompts }, sha256)
        const lock = parsedLock(text)
        expect(new Set(lock.prompts)).toEqual(new Set(prompts))
        expect(printLock(lock, sha256)).toBe(text)
      }),
      sweep(),
    )
  })

  test('round-trips unpaired surrogates, which a pull rejects', () => {
    const lock = liveLock({ system: 'a\ud83d', slug: '\ude00' })
    expect(roundTrip(lock)).toEqual(lock)
  })

  test('a negative zero becomes zero', () => {
    const lock = liveLock({ temperature: 0 })
    expect(roundTrip(liveLock({ temperature: -0 }))).toEqual(lock)
  })
})
