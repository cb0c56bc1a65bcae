import { describe, expect, test } from 'vitest'
import { copyError } from '../../../src/errors/error-code.ts'

const KEY = 'Canary/0+1='
const mask = (line: string): string => line.replaceAll(KEY, '[key]')

describe('a copy of an error', () => {
  test('has its name, message, code and stack changed, line by line, and nothing else', () => {
    const error = Object.assign(new TypeError(`no ${KEY}`), { code: `E_${KEY}`, data: KEY })
    error.name = `Name ${KEY}`
    error.stack = `Name\n  at ${KEY}\n  at b`
    const copy = copyError(error, mask)
    expect(copy).toMatchObject({ name: 'Name [key]', message: 'no [key]', code: 'E_[key]' })
    expect(copy.stack).toBe('Name\n  at [key]\n  at b')
    expect(copy).not.toHaveProperty('data')
    expect(error.message).toBe(`no ${KEY}`)
  })

  test('has a code only if the error has one', () => {
    expect(copyError(new Error('no'), mask)).not.toHaveProperty('code')
  })

  test('has a cause only if the error has one', () => {
    expect(copyError(new Error('no'), mask)).not.toHaveProperty('cause')
  })

  test('accepts an error without a stack', () => {
    const error = new Error('no')
    Reflect.deleteProperty(error, 'stack')
    expect(copyError(error, mask).stack).toBe('')
  })

  test('is an error for other values', () => {
    expect(copyError(`no ${KEY}`, mask)).toMatchObject({ name: 'Error', message: 'no [key]' })
  })

  test('has the causes, changed too', () => {
    const error = new Error('a', { cause: new Error('b', { cause: KEY }) })
    const copy = copyError(error, mask)
    expect(copy).toMatchObject({
      message: 'a',
      cause: { message: 'b', cause: { message: '[key]' } },
    })
  })

  test('has the first of several errors, which tried several addresses of a host', () => {
    const error = new AggregateError([new Error('first'), new Error('second')], 'all')
    expect(copyError(error, mask)).toMatchObject({ message: 'all', cause: { message: 'first' } })
  })

  test('has the cause of several errors rather than the first of them', () => {
    const error = new AggregateError([new Error('first')], 'all', { cause: new Error('why') })
    expect(copyError(error, mask)).toMatchObject({ cause: { message: 'why' } })
  })

  test('ends for circular causes', () => {
    const error = new Error('a')
    error.cause = error
    expect(depthOf(copyError(error, mask))).toBe(6)
  })
})

/** The length of the chain of causes. */
function depthOf(error: unknown): number {
  return error instanceof Error ? 1 + depthOf(error.cause) : 0
}
