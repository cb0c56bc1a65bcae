import { expect, test } from 'vitest'
import { accessOf, keyOf } from '../../../src/core/app-code.ts'

test.each([
  ['a-b', 'aB', 'prompts.aB'],
  ['1', null, "prompts['1']"],
  ["it's", null, `prompts["it's"]`],
  [`it's "x"`, null, String.raw`prompts['it\'s "x"']`],
  ['a\\b\n\u202e', null, String.raw`prompts['a\\b\n\u202e']`],
])(
  'the code that accesses the prompt %j with the identifier %j is %s',
  (slug, identifier, want) => {
    expect(accessOf({ slug, identifier })).toBe(want)
  },
)

test('a key of an object literal is quoted if it is no identifier, and never sets the prototype', () => {
  expect(['name', 'a-b', '__proto__'].map(keyOf)).toEqual(['name', "'a-b'", "['__proto__']"])
})
