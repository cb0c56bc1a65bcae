import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseLock } from '../../../../src/core/lock/parse-lock.ts'
import {
  integrityOf,
  LOCK_VERSION,
  printFields,
  printLock,
} from '../../../../src/core/lock/print-lock.ts'
import type { Lock, PinnedPrompt } from '../../../../src/core/prompt.ts'
import { partSettings } from '../../../../src/core/settings.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { hostileLock } from '../../../helpers/hostile.ts'
import { liveLock, lockOf, parsedLock, pinned } from '../../../helpers/pinned.ts'
import { sweep } from '../../../helpers/sweep.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { UNPRINTABLE } from '../../../helpers/unprintable.ts'

/** A digest to read in expectations. */
const SHORT = (): string => 'sha256-x'

const TEXT = `{
  "lockVersion": 1,
  "prompts": [
    {
      "slug": "triage",
      "staging": {
        "version": "v23",
        "folder": "support",
        "model": "gpt-6",
        "temperature": null,
        "system": [
          "Be kind.",
          "Be brief.",
          "",
          ""
        ],
        "user": [],
        "join": "",
        "held": {
          "reason": "Legal\\u200b."
        },
        "integrity": "sha256-x"
      },
      "live": {
        "version": "v22",
        "folder": "support",
        "model": "gpt-5",
        "temperature": 0.2,
        "system": [
          "Be kind.",
          ""
        ],
        "user": [
          "{{ ticket }}",
          ""
        ],
        "join": "\\n\\n",
        "integrity": "sha256-x"
      }
    }
  ]
}
`

const LOCK = lockOf({
  live: [{ slug: 'triage', user: '{{ ticket }}' }],
  staging: [
    {
      slug: 'triage',
      version: 'v23',
      model: 'gpt-6',
      temperature: null,
      system: 'Be kind.\nBe brief.\n',
      held: { reason: 'Legal\u200b.' },
    },
  ],
})

const SETTINGS = JSON.stringify(partSettings(pinned())).slice(0, -1)
const PART = `${SETTINGS},"system":[],"user":[],"join":"","integrity":"sha256-x"}`
const ODD = PART.replace('0.2', '-1e-7').replace('"join":""', '"source":["S!",""]')
const EMPTY = { slug: 'a', system: '' }

/** The text of a lock of these prompts without white space. */
function lockText(...prompts: readonly (readonly [slug: string, parts: string])[]): string {
  const entries = prompts.map(([slug, parts]) => `{"slug":"${slug}",${parts}}`)
  return `{"lockVersion":${LOCK_VERSION},"prompts":[${entries.join()}]}`
}

const FORMATS: readonly (readonly [title: string, lock: Lock, text: string])[] = [
  ['no prompts', lockOf({}), lockText()],
  [
    'a prompt of which nobody has read the live version',
    lockOf({ staging: [EMPTY] }),
    lockText(['a', `"staging":${PART},"live":null`]),
  ],
  [
    'texts without a line, with one empty line, and with two',
    liveLock(EMPTY, { slug: 'b', system: '\n' }),
    lockText(['a', `"live":${PART}`], ['b', `"live":${PART.replace('[]', '["","",""]')}`]),
  ],
  [
    'a source that is no join, and a small number',
    liveLock({ ...EMPTY, source: 'S!', temperature: -1e-7 }),
    lockText(['a', `"live":${ODD}`]),
  ],
  [
    'slugs by code point: U+FFFF before an emoji',
    liveLock({ ...EMPTY, slug: '😀' }, { ...EMPTY, slug: '\uffff' }, { ...EMPTY, slug: 'A' }),
    lockText(...['A', '\uffff', '😀'].map((slug) => [slug, `"live":${PART}`] as const)),
  ],
]

describe('a lock is JSON in one form, which is read back', () => {
  test('a lock has two spaces, LF, keys in a fixed order, texts by lines, and a newline at its end', () => {
    expect(printLock(LOCK, SHORT)).toBe(TEXT)
    expect(parseLock(TEXT, SHORT)).toMatchObject({ lock: LOCK })
  })

  test.each(FORMATS)('a lock with %s is printed in that form and read back', (_, lock, want) => {
    const text = printLock(lock, SHORT)
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`)
    expect(text.replaceAll(/\n */g, '').replaceAll('": ', '":')).toBe(want)
    for (const form of [text, text.replaceAll('  ', '\t')])
      expect(parseLock(form, SHORT)).toMatchObject({ lock, unsorted: undefined })
  })

  test('a lock of any parts is read back, and printed as before', () => {
    fc.assert(
      fc.property(hostileLock, (lock) => {
        const text = printLock(lock, sha256)
        expect(parsedLock(text)).toEqual(lock)
        expect(printLock(parsedLock(text), sha256)).toBe(text)
      }),
      sweep(),
    )
  })

  test('a lock is read back with unpaired surrogates, which a pull refuses, and without negative zeros', () => {
    const lock = liveLock({ system: 'a\ud83d', slug: '\ude00', temperature: 0 })
    const [part = pinned()] = lock.parts
    const negative = { ...lock, parts: [{ ...part, temperature: -0 }] }
    expect(parsedLock(printLock(negative, sha256))).toEqual(lock)
  })

  test('a lock is printed the same whatever the order of its parts and of their fields', () => {
    const parts = LOCK.parts
      .toReversed()
      .map((part) => Object.fromEntries(Object.entries(part).toReversed()))
    const other = { parts, environment: 'live' } as unknown as Lock
    expect(printLock(other, sha256)).toBe(printLock(LOCK, sha256))
  })

  test('a lock is printed without line ends but LF, and without what is invisible', () => {
    const system = 'a\r\nb\rc\u2028d\u202ee\0f'
    const text = printLock(liveLock({ slug: 's\r', system }), SHORT)
    expect(text.replaceAll('\n', '')).not.toMatch(UNPRINTABLE)
  })
})

describe('the hash of a part', () => {
  const whole = pinned({ system: 'S', user: 'U', held: { reason: 'Legal' } })
  const hash = (part: PinnedPrompt): string => integrityOf(part, printFields(part), sha256)

  test.each(Object.keys(whole))('the hash of a part covers its %s', (field) => {
    expect(hash({ ...whole, [field]: field === 'held' ? undefined : 'x' })).not.toBe(hash(whole))
  })

  test('a hash tells a text from the same text in the next field, and no hold from an empty one', () => {
    const [one, other] = [
      pinned({ folder: 'a', model: 'bc' }),
      pinned({ folder: 'ab', model: 'c' }),
    ]
    expect(hash(one)).not.toBe(hash(other))
    expect(hash({ ...one, held: { reason: '' } })).not.toBe(hash(one))
  })

  test('the hash of a part is a SHA-256, the same on every machine', () => {
    expect(hash(whole)).toMatchInlineSnapshot(
      `"sha256-0Hp+E7SC0lYFksxqgsMlvSX3frXhjJVKkRSaE4+Xidg="`,
    )
  })
})

/** The lines that git shows as removed and added, without white space. */
async function gitDiff(before: Lock, after: Lock): Promise<string[]> {
  const folder = await temporaryFolder()
  const [one, other] = [join(folder, 'before.json'), join(folder, 'after.json')]
  await writeFile(one, printLock(before, sha256))
  await writeFile(other, printLock(after, sha256))
  const args = ['diff', '--no-index', '--unified=0', one, other]
  try {
    execFileSync('git', args, { stdio: 'pipe' })
    return []
  } catch (error) {
    const lines = String(Object(error).stdout).split('\n')
    return lines.filter((line) => /^[-+](?![-+])/.test(line)).map((line) => line.replace(/ +/, ''))
  }
}

describe('a diff of git', () => {
  test.each([
    ['a line that is inserted', 'a\nb', 'a\nnew\nb', ['+"new",']],
    ['a line at the end', 'a\nb', 'a\nb\nnew', ['+"new",']],
    ['a last line that is removed', 'a\nb', 'a', ['-"b",']],
    ['a first line that is changed', 'a\nb\n', 'new\nb\n', ['-"a",', '+"new",']],
    ['a last line that is changed', 'a\nb\n', 'a\nnew\n', ['-"b",', '+"new",']],
  ])('git shows %s as one', async (_, before, after, lines) => {
    const lockAfter = (version: string, system: string): Lock =>
      liveLock({ slug: 'a', version, system, user: 'U' }, { slug: 'b' })
    const diff = await gitDiff(lockAfter('v1', before), lockAfter('v2', after))
    const named = diff.map((line) => /^.(?="(?:version|integrity)")/.exec(line)?.[0] ?? line)
    expect(named.toSorted()).toEqual([...lines, '-', '+', '-', '+'].toSorted())
  })

  test('git shows a staging part that comes or goes only as its own lines', async () => {
    const live = [{ slug: 'a' }, { slug: 'b' }, { slug: 'c' }]
    const [before, after] = [lockOf({ live }), lockOf({ live, staging: [{ slug: 'b' }] })]
    const [come, go] = [await gitDiff(before, after), await gitDiff(after, before)]
    expect(come.length).toBeGreaterThan(8)
    expect(come.every((line) => line.startsWith('+'))).toBe(true)
    expect(go).toEqual(come.map((line) => line.replace('+', '-')))
  })
})
