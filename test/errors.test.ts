import { describe, expect, test } from 'vitest'
import {
  catalogue,
  type ErrorCode,
  type ErrorDetails,
  isPromptsError,
  PromptsError,
} from '../src/errors.ts'
import { HOSTILE } from './helpers/hostile.ts'
import { INVISIBLE } from './helpers/invisible.ts'

const CODES = Object.keys(catalogue) as ErrorCode[]

/** Details of every error at once; those that may be remote text are this one. */
function anyDetails(remote: string): object {
  const ours =
    'path url where problem source variable option kind id module name workspace command pid setting prefix file'.split(
      ' ',
    )
  const numbers = 'attempts milliseconds status limit rounds count line position port known'.split(
    ' ',
  )
  const texts = 'reason excerpt contentType target sign wait found held'.split(' ')
  const lists = 'problems slugs differences chain'.split(' ')
  return Object.fromEntries([
    ...ours.map((name) => [name, `${name} of this side`]),
    ...numbers.map((name) => [name, 7]),
    ...texts.map((name) => [name, remote]),
    ...lists.map((name) => [name, [remote, remote]]),
  ])
}

function anyError(code: ErrorCode, remote: string, more: object = {}): PromptsError {
  const details: object = { ...anyDetails(remote), ...more }
  return new PromptsError(code, details as ErrorDetails[ErrorCode])
}

describe.each(CODES)('%s', (code) => {
  test('says why and what mends it, in whole sentences, and ends with its code', () => {
    const error = anyError(code, 'x')
    expect(error.why).toMatch(/^\S.{9,}/)
    expect(error.fix).toMatch(/^[A-Z`].{9,}[.!?]$/s)
    expect(error.message).toBe(`${error.why}\n${error.fix} [${code}]`)
    expect(error.message).not.toMatch(/undefined|\[object|NaN/)
  })

  test('tells commands and variables of the workspace that it is about', () => {
    const { why, fix } = anyError(code, 'x', { workspace: 'billing-prompts', command: 'pull ' })
    const commands = `${why} ${fix}`.match(/`(?:npx )?prompts [^`]*`/g) ?? []
    const ofAll = commands.filter((each) => !/ --name billing-prompts`$| --help`$/.test(each))
    expect(ofAll).toEqual([])
    expect(`${why} ${fix}`).not.toMatch(/(?<!BILLING_)PROMPTS_/)
  })

  test('shows remote text without controls, on lines that it can not begin (FAULTS 37, 38)', () => {
    for (const text of [...HOSTILE, 'a\n::error::b\r\n::warning::c']) {
      const { message } = anyError(code, text)
      expect(message.replaceAll('\n', '')).not.toMatch(INVISIBLE)
      expect(message).not.toMatch(/^\s*::(?:error|warning)::/m)
    }
  })
})

describe('an error', () => {
  test('shows where it was thrown only where that may be a fault of this package', () => {
    const known = new PromptsError('LOCK_MISSING', { path: 'a', workspace: 'prompts' })
    expect(known.stack).toBe(`PromptsError: ${known.message}`)
    expect(new PromptsError('UNEXPECTED', { reason: 'x' }).stack).toContain('errors.test.ts')
  })

  test('is one of this package, with its code and its cause', () => {
    const cause = new Error('why')
    const error = new PromptsError('LOCK_MISSING', { path: 'a', workspace: 'prompts' }, { cause })
    expect(error).toMatchObject({ name: 'PromptsError', code: 'LOCK_MISSING', cause })
    expect(error.details).toEqual({ path: 'a', workspace: 'prompts' })
    expect(isPromptsError(error)).toBe(true)
    expect(isPromptsError(error, 'LOCK_MISSING')).toBe(true)
    expect(isPromptsError(error, 'LOCK_SYNTAX')).toBe(false)
    expect(isPromptsError(cause)).toBe(false)
  })

  test('has its details sanitized, for tools that print them', () => {
    const error = new PromptsError('SLUG_DUPLICATE', { slugs: ['a\u001b[31mb', 'c\nd'] })
    expect(error.details.slugs).toEqual(['ab', 'c d'])
  })

  test('lists at most 20 of many, and says how many more there are; the details have all', () => {
    const slugs = Array.from({ length: 25 }, (_, index) => `slug-${index}`)
    const error = new PromptsError('SLUG_DUPLICATE', { slugs })
    expect(error.why).toContain('\n  - slug-19\n  - and 5 more')
    expect(error.why).not.toContain('slug-20')
    expect(error.details.slugs).toHaveLength(25)
  })

  test('lists 20 of 20 without more', () => {
    const slugs = Array.from({ length: 20 }, (_, index) => `slug-${index}`)
    expect(new PromptsError('SLUG_DUPLICATE', { slugs }).why).toMatch(/- slug-19$/)
  })

  test.each([
    [1, '1 attempt)'],
    [3, '3 attempts)'],
  ])('counts %s', (attempts, words) => {
    const details = { url: 'https://x', reason: 'no', attempts, workspace: 'prompts' }
    expect(new PromptsError('SERVICE_UNREACHABLE', details).why).toContain(words)
  })
})

const PERMANENT =
  'ACCESS_DENIED ANSWER_EMPTY ANSWER_INCOMPLETE ANSWER_INVALID ANSWER_NOT_JSON ' +
  'ANSWER_NOT_UTF8 ANSWER_PAGINATED ANSWER_TOO_LARGE BASE_URL_INVALID BASE_URL_MISSING ' +
  'CERTIFICATE_INVALID CONFIG_UNREADABLE ENVIRONMENT_MISMATCH FILE_UNREADABLE ' +
  'FILE_UNWRITABLE KEY_KIND_UNKNOWN KEY_MALFORMED KEY_MISSING KEY_PUBLISHED KEY_REFUSED ' +
  'LOCK_BUSY LOCK_CONFLICTED LOCK_EDITED LOCK_INVALID LOCK_MISSING LOCK_SYNTAX LOCK_TOO_NEW ' +
  'LOCK_UNFIT MODULE_REFUSED MODULE_UNKNOWN NAME_TAKEN OPTIONS_INVALID PORT_UNAVAILABLE ' +
  'PROMPTS_IN_CLIENT PROMPT_NOT_FOUND PULL_EMPTY PULL_UNSETTLED RATE_LIMITED REDIRECTED ' +
  'PREFIX_PUBLISHES_KEY KEY_IN_BUNDLE ' +
  'SERVICE_FAILED SERVICE_NOT_FOUND SERVICE_TIMEOUT SERVICE_UNREACHABLE SLUG_DUPLICATE ' +
  'SLUG_UNKNOWN SLUG_UNSAFE STATUS_UNEXPECTED TEST_IN_PRODUCTION TEXT_HOLDS_KEY ' +
  'TEXT_UNPAIRED_SURROGATE TSCONFIG_INVALID TYPES_NOT_FOUND UNEXPECTED USAGE ' +
  'WORKSPACE_INVALID'

test('the codes are permanent: they may be added, never renamed or taken away', () => {
  expect(CODES).toEqual(expect.arrayContaining(PERMANENT.split(' ')))
})
