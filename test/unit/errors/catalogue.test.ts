import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { catalogue, type ErrorCode, type ErrorDetails } from '../../../src/errors/catalogue.ts'
import { PromptsError } from '../../../src/errors/prompts-error.ts'
import { COMMAND, HOSTILE } from '../../helpers/hostile.ts'
import { UNPRINTABLE } from '../../helpers/unprintable.ts'

const CODES = Object.keys(catalogue) as ErrorCode[]

/** The details of every error, by name; those that may be remote text are this one. */
function anyDetails(remote: string): object {
  const ours = `package service path url where problem source variable kind id module name
    workspace command pid setting prefix file folder glob lockfile encoding stream bundler version lowest
    environment wrapping replaces noun`
  const numbers = 'attempts milliseconds status limit rounds count line position port known'
  const texts = 'reason revision excerpt contentType target sign wait found held slug'
  const lists = 'problems slugs differences written others sources refused parts'
  const each = (names: string, valueOf: (name: string) => unknown) =>
    names.split(/\s+/).map((name) => [name, valueOf(name)])
  return Object.fromEntries([
    ...each(ours, (name) => `${name} of this side`),
    ...each(numbers, () => 7),
    ...each(texts, () => remote),
    ...each(lists, () => [remote, remote]),
  ])
}

function anyError(code: ErrorCode, remote: string, more: object = {}): PromptsError {
  const details: object = { ...anyDetails(remote), ...more }
  return new PromptsError(code, details as ErrorDetails[ErrorCode])
}

describe.each(CODES)('%s', (code) => {
  test('the error gives a reason and a fix, in whole sentences, and ends with its code', () => {
    const error = anyError(code, 'x')
    expect(error.why).toMatch(/^\S.{9,}/)
    expect(error.fix).toMatch(/^[A-Z`].{9,}[.!?]$/s)
    expect(error.message).toBe(`[${code}] ${error.why}\n${error.fix}`)
    const hint = 'Does anyDetails have every detail of this error?'
    expect(error.message, hint).not.toMatch(/undefined|\[object|NaN/)
  })

  test('the error names commands and variables of its workspace', () => {
    const { why, fix } = anyError(code, 'x', { workspace: 'billing-prompts', command: 'pull ' })
    const commands = `${why} ${fix}`.match(/`(?:npx )?prompts [^`]*`/g) ?? []
    // `prompts serve` is for all workspaces.
    const ofAll = commands.filter(
      (each) => !/ --name billing-prompts`$| --help`$|prompts serve /.test(each),
    )
    expect(ofAll).toEqual([])
    expect(`${why} ${fix}`).not.toMatch(/(?<!BILLING_)PROMPTS_/)
  })

  test('the error shows remote text without controls and without commands to a CI server', () => {
    const shown = [...HOSTILE, 'a\n::error::b\r\n::warning::c'].flatMap((text) => {
      const { message, why, fix, stack = '' } = anyError(code, text)
      return [message, why, fix, stack]
    })
    expect(shown.filter((text) => UNPRINTABLE.test(text.replaceAll('\n', '')))).toEqual([])
    expect(shown.filter((text) => COMMAND.test(text))).toEqual([])
  })
})

describe('an error', () => {
  test('names a path below the working directory from there, and keeps it exact in its details, however odd', () => {
    const why = (path: string): string => new PromptsError('FILE_FOREIGN', { path }).why
    expect(why(join(process.cwd(), 'src/prompts.d.ts'))).toMatch(/^src\/prompts\.d\.ts exists/)
    const beside = join(dirname(process.cwd()), 'a.d.ts')
    expect(why(beside).startsWith(`${beside} exists`)).toBe(true)
    const path = join(process.cwd(), '👩‍💻/##[x]/prompts.d.ts')
    expect(new PromptsError('FILE_FOREIGN', { path }).details).toEqual({ path })
  })

  test('an error and its causes have a stack only if it may be a bug of this package or of a configuration', () => {
    const cause = new SyntaxError('no', { cause: new Error('why') })
    const known = new PromptsError('LOCK_MISSING', { path: 'a', workspace: 'prompts' }, { cause })
    expect(known.stack).toBe(`PromptsError: ${known.message}`)
    expect(known.cause).toMatchObject({ stack: 'SyntaxError: no', cause: { stack: 'Error: why' } })
    const unknown = new PromptsError('UNEXPECTED', { reason: 'x' }, { cause })
    const configuration = new PromptsError('CONFIG_UNREADABLE', { path: 'a' }, { cause })
    for (const { stack } of [unknown, unknown.cause, configuration.cause] as Error[])
      expect(stack).toContain('catalogue.test.ts')
  })

  test('an error has its details sanitized, for tools that print them', () => {
    const error = new PromptsError('SLUG_DUPLICATE', { slugs: ['a\u001b[31mb', 'c\nd'] })
    expect(error.details.slugs).toEqual(['ab', 'c d'])
  })

  test('an error has causes that are safe to print: bundlers and Node print them', () => {
    const parser = new SyntaxError('Unexpected token in "\n::error::x\n##[add-path]y\u001b[2J"')
    const cause = new Error('no', { cause: parser })
    const details = { path: 'a', workspace: 'prompts', line: 1 }
    const shown = inspect(new PromptsError('LOCK_SYNTAX', details, { cause }))
    expect(shown).toContain(': :error::x')
    expect(shown.replaceAll('\n', '')).not.toMatch(UNPRINTABLE)
    expect(shown).not.toMatch(COMMAND)
  })

  test('an error lists at most 20 items and the number of the others; its details have all', () => {
    const slugs = Array.from({ length: 25 }, (_, index) => `slug-${index}`)
    const error = new PromptsError('SLUG_DUPLICATE', { slugs })
    expect(error.why).toMatch(/\n {2}- slug-19\n {2}- … and 5 more$/)
    expect(error.details.slugs).toHaveLength(25)
    const twenty = new PromptsError('SLUG_DUPLICATE', { slugs: slugs.slice(0, 20) })
    expect(twenty.why).toMatch(/- slug-19$/)
  })

  test.each([
    ['this clone is shallow and has no such revision', '--unshallow'],
    ["detected dubious ownership in repository at '/app'", 'safe.directory'],
    ['git is not installed', 'Install git'],
    ['not a git repository (or any of the parent directories): .git', 'in a clone'],
    ['it has no lock', 'Name another'],
  ])(
    'a revision that can not be read because %j has an advice of its own: %s',
    (reason, advice) => {
      const { fix } = new PromptsError('REVISION_UNREADABLE', { revision: 'main', reason })
      expect(fix).toContain(advice)
    },
  )

  test('an error counts several attempts, and no single one', () => {
    const details = { url: 'https://x', reason: 'no', workspace: 'prompts' }
    const whyAfter = (attempts: number): string =>
      new PromptsError('SERVICE_UNREACHABLE', { ...details, attempts }).why
    expect(whyAfter(1)).not.toContain('attempt')
    expect(whyAfter(3)).toContain('3 attempts')
  })
})
