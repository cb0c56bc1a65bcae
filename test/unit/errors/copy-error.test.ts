import { expect, test } from 'vitest'
import { copyError, errorMessage } from '../../../src/errors/prompts-error.ts'

const KEY = 'Canary/0+1='
const mask = (line: string): string => line.replaceAll(KEY, '[key]')

test('a copy of an error has its name, message, code and stack changed, and nothing else', () => {
  const error = Object.assign(new TypeError(`no ${KEY}`), { code: `E_${KEY}`, data: KEY })
  error.name = `Name ${KEY}`
  error.stack = `Name\n  at ${KEY}\n  at b`
  const copy = copyError(error, mask)
  expect(copy).toMatchObject({ name: 'Name [key]', message: 'no [key]', code: 'E_[key]' })
  expect(copy.stack).toBe('Name\n  at [key]\n  at b')
  expect(copy).not.toHaveProperty('data')
  expect(copy).not.toHaveProperty('cause')
  expect(error.message).toBe(`no ${KEY}`)
})

test('a copy of an error without code and stack has none', () => {
  const error = new Error('no')
  Reflect.deleteProperty(error, 'stack')
  const copy = copyError(error, mask)
  expect(copy.stack).toBe('')
  expect(copy).not.toHaveProperty('code')
})

const throwing = {
  toString(): string {
    throw new Error('no text')
  },
}

test.each<[string, unknown, string]>([
  ['an error', new Error('no'), 'no'],
  ['a text', 'no', 'no'],
  ['the answer of a service', { status: 401, message: 'Unauthorized' }, 'Unauthorized'],
  [
    'an error whose message is a list',
    Object.assign(new Error('x'), { message: ['a', 1] }),
    'Error: a,1',
  ],
  ['an object without a prototype', Object.create(null), 'unknown error'],
  ['an object that throws when it is printed', throwing, 'unknown error'],
  ['a symbol', Symbol('odd'), 'Symbol(odd)'],
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
])('the message of what was thrown is a text, for %s', (_, thrown, message) => {
  expect(errorMessage(thrown)).toBe(message)
  expect(copyError(thrown, (line) => line).message).toBe(message)
})

test('a copy of an error with odd fields has texts', () => {
  const error = Object.assign(new Error('no'), { name: ['odd'], stack: {} })
  expect(copyError(error, mask)).toMatchObject({ name: '', stack: '', message: 'no' })
})

const several = [new Error('first'), new Error('second')]

test.each<[string, unknown, object]>([
  ['another value', `no ${KEY}`, { name: 'Error', message: 'no [key]' }],
  [
    'causes, changed too',
    new Error('a', { cause: new Error('b', { cause: KEY }) }),
    { message: 'a', cause: { message: 'b', cause: { message: '[key]' } } },
  ],
  [
    'several errors, which tried several addresses: the first one',
    new AggregateError(several, 'all'),
    { message: 'all', cause: { message: 'first' } },
  ],
  [
    'several errors with a cause: that',
    new AggregateError(several, 'all', { cause: new Error('why') }),
    { message: 'all', cause: { message: 'why' } },
  ],
])('a copy of an error has %s', (_, error, copy) => {
  expect(copyError(error, mask)).toMatchObject(copy)
})

test('a copy of an error whose causes are circular ends', () => {
  const error = new Error('a')
  error.cause = error
  const depthOf = (value: unknown): number =>
    value instanceof Error ? 1 + depthOf(value.cause) : 0
  expect(depthOf(copyError(error, mask))).toBe(6)
})
