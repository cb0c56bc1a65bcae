import { describe, expect, test } from 'vitest'
import { findJoin, promptTexts } from '../../../src/core/prompt.ts'
import { pinned } from '../../helpers/pinned.ts'

const JOINS = [
  { title: 'a blank line', system: 'S', user: 'U', source: 'S\n\nU', want: '\n\n' },
  { title: 'nothing', system: 'S', user: 'U', source: 'SU', want: '' },
  { title: 'CRLF', system: 'S', user: 'U', source: 'S\r\n\r\nU', want: '\r\n\r\n' },
  { title: 'no user text', system: 'S', user: '', source: 'S', want: '' },
  { title: 'no user text, yet a join', system: 'S', user: '', source: 'S\n\n', want: '\n\n' },
  { title: 'no system text', system: '', user: 'U', source: 'U', want: '' },
  { title: 'no text at all', system: '', user: '', source: '', want: '' },
  { title: 'a word between', system: 'S', user: 'U', source: 'S and U', want: undefined },
  { title: 'the other order', system: 'S', user: 'U', source: 'U\n\nS', want: undefined },
  { title: 'overlapping texts', system: 'ab', user: 'bc', source: 'abc', want: undefined },
  { title: 'more text after them', system: 'S', user: 'U', source: 'S\n\nU!', want: undefined },
  { title: 'something else', system: 'S', user: 'U', source: '', want: undefined },
]

describe('what joins system and user in source', () => {
  test.each(JOINS)('$title: $want', ({ want, ...texts }) => {
    expect(findJoin(texts)).toBe(want)
  })
})

test('the texts of a prompt are system and user, and source if it is not a join', () => {
  expect(promptTexts(pinned({ system: 'S', user: 'U' }))).toEqual([
    { field: 'system', text: 'S' },
    { field: 'user', text: 'U' },
  ])
  expect(promptTexts(pinned({ system: 'S', user: '', source: 'X' }))).toEqual([
    { field: 'system', text: 'S' },
    { field: 'user', text: '' },
    { field: 'source', text: 'X' },
  ])
})
