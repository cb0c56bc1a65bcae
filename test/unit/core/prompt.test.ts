import { describe, expect, test } from 'vitest'
import {
  editPrompt,
  findJoin,
  isJoin,
  pairParts,
  type PinnedPrompt,
  promptTexts,
  viewOf,
} from '../../../src/core/prompt.ts'
import { partsOf, pinned } from '../../helpers/pinned.ts'

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
  { title: 'another text at the end', system: 'S', user: 'U', source: 'S X', want: undefined },
  { title: 'something else', system: 'S', user: 'U', source: '', want: undefined },
]

describe('what joins system and user in source', () => {
  test.each(JOINS)('$title: $want', ({ want, ...texts }) => {
    expect(findJoin(texts)).toBe(want)
  })
})

test('the characters of a join are those of lockVersion 1, on every version of Node', () => {
  const joins = Array.from({ length: 0x1_00_00 }, (_, code) => code).filter((code) =>
    isJoin(String.fromCharCode(code)),
  )
  expect(joins.map((code) => code.toString(16)).join(' ')).toMatchInlineSnapshot(
    `"9 a b c d 20 a0 1680 2000 2001 2002 2003 2004 2005 2006 2007 2008 2009 200a 2028 2029 202f 205f 3000 feff"`,
  )
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

test('a view has each prompt once, and a prompt is paired with its staging part', () => {
  const [parts, [a, staged, b, c]] = [partsOf('a1 a*2 b*1 c1'), partsOf('a1 a*2 b*1 c1')]
  expect(viewOf({ parts }, 'live')).toEqual({ environment: 'live', prompts: [a, c] })
  expect(viewOf({ parts }, 'test')).toEqual({ environment: 'test', prompts: [staged, b, c] })
  expect(pairParts({ parts })).toEqual([
    { prompt: a, staging: staged },
    { prompt: b, staging: null },
    { prompt: c, staging: null },
  ])
})

const BOTH = { system: 'S', user: 'U', source: 'S\nU' }
const EDITED = { version: 'v1-edited', held: { reason: 'Tone' } }

test.each<[title: string, before: Partial<PinnedPrompt>, texts: string[], want: object]>([
  ['keeps the join', BOTH, ['S', 'V'], { source: 'S\nV', version: 'v22-edited' }],
  ['leaves out the join', BOTH, ['', 'V'], { source: 'V', held: { reason: '' } }],
  ['adds a blank line', { system: 'S', source: 'S\n' }, ['S', 'V'], { source: 'S\n\nV' }],
  ['adds one before', { system: '', user: 'U', source: '\nU' }, ['S', 'U'], { source: 'S\n\nU' }],
  ['replaces a source', { ...BOTH, source: 'X' }, ['S', 'V'], { source: 'S\n\nV' }],
  ['to the same texts is none', BOTH, ['S', 'U'], { version: 'v22' }],
  ['keeps label and reason', { ...BOTH, ...EDITED }, ['T', 'U'], { source: 'T\nU', ...EDITED }],
  ['that ends so in the service', { version: 'x-edited' }, ['T'], { version: 'x-edited-edited' }],
])('an edit of a prompt %s', (_, before, [system = '', user = ''], want) => {
  expect(editPrompt(pinned(before), { system, user })).toMatchObject({ system, user, ...want })
})
