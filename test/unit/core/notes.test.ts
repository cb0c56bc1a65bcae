import { describe, expect, test } from 'vitest'
import { comparePrompts } from '../../../src/core/compare.ts'
import { findNewNotes, findNotes } from '../../../src/core/notes.ts'
import { pinned } from '../../helpers/pinned.ts'

/** Kind, position and excerpt of each note, as `line:column kind excerpt`. */
function notes(system: string): string[] {
  return findNotes(pinned({ system }), 100).first.map(
    ({ line, column, kind, excerpt }) => `${line}:${column} ${kind} ${excerpt}`,
  )
}

const NOTES = [
  { title: 'a token is none', given: '{{ a }} {{b}}', want: [] },
  { title: 'empty braces', given: 'x {{}}', want: ['1:3 empty {{}}'] },
  { title: 'braces around white space', given: '{{ \t}}', want: ['1:1 empty {{ \t}}'] },
  {
    title: 'a section',
    given: '{{#if x}}yes{{/if}}',
    want: ['1:1 foreign {{#if x}}', '1:13 foreign {{/if}}'],
  },
  { title: 'a call', given: "{{base64('x')}}", want: ["1:1 foreign {{base64('x')}}"] },
  { title: 'a digit first', given: '{{1}}', want: ['1:1 foreign {{1}}'] },
  { title: 'an opener at the end', given: 'x {{', want: ['1:3 unclosed {{'] },
  { title: 'an opener with a name', given: 'x {{ a', want: ['1:3 unclosed {{ a'] },
  { title: 'an opener before a token', given: '{{ a {{b}}', want: ['1:1 unclosed {{ a '] },
  { title: 'two openers', given: '{{ {{', want: ['1:1 unclosed {{ ', '1:4 unclosed {{'] },
  { title: 'four braces', given: '{{{{', want: ['1:1 unclosed {{', '1:3 unclosed {{'] },
  { title: 'three braces around a name are a token in single ones', given: '{{{a}}}', want: [] },
  { title: 'four braces around a name', given: '{{{{a}}}}', want: ['1:1 unclosed {{'] },
  { title: 'three braces around no name', given: '{{{!}}}', want: ['1:1 foreign {{{!}}'] },
  { title: 'a stray closer is plain text', given: '{{ a }} }}', want: [] },
  { title: 'the third line', given: 'a\nb\n  {{}}', want: ['3:3 empty {{}}'] },
  { title: 'CRLF', given: 'a\r\n{{}}\r\n{{}}', want: ['2:1 empty {{}}', '3:1 empty {{}}'] },
  { title: 'a token broken over lines', given: '{{\na}}', want: ['1:1 foreign {{\na}}'] },
  { title: 'columns in UTF-16 units, as editors count', given: '😀{{}}', want: ['1:3 empty {{}}'] },
  { title: 'after tokens', given: '{{a}}\n{{b}}{{}}', want: ['2:6 empty {{}}'] },
]

test.each(NOTES)('$title: $given', ({ given, want }) => {
  expect(notes(given)).toEqual(want)
})

test.each([
  { title: 'foreign', given: `{{ ${'x '.repeat(40)}}}` },
  { title: 'unclosed', given: `{{ ${'x '.repeat(40)}` },
])('an excerpt of a long $title one is cut to 40 characters', ({ title, given }) => {
  expect(notes(given)).toEqual([`1:1 ${title} ${given.slice(0, 40)}`])
})

describe('a note names the text', () => {
  test('system and user, in this order', () => {
    const prompt = pinned({ slug: 'triage', system: '{{}}', user: 'Hi\n{{' })
    expect(findNotes(prompt, 100)).toEqual({
      slug: 'triage',
      count: 2,
      first: [
        { field: 'system', line: 1, column: 1, kind: 'empty', excerpt: '{{}}' },
        { field: 'user', line: 2, column: 1, kind: 'unclosed', excerpt: '{{' },
      ],
    })
  })

  test('is about source only if it is not a join of the other texts', () => {
    const prompt = pinned({ system: 'S', user: 'U', source: 'S, {{}} U' })
    expect(findNotes(prompt, 100).first).toEqual([
      expect.objectContaining({ field: 'source', column: 4, kind: 'empty' }),
    ])
  })
})

test('only the first notes of a prompt are listed, and all are counted', () => {
  const prompt = pinned({ system: '{{}} {{!}}', user: '{{}} {{' })
  const { count, first } = findNotes(prompt, 3)
  expect([count, first.map(({ field }) => field)]).toEqual([4, ['system', 'system', 'user']])
})

describe('a pull reports', () => {
  const before = pinned({ slug: 'a', system: '{{}}', user: 'U', source: '{{}}U' })

  test.each([
    ['a new prompt', [], [before], 1],
    ['a changed system text', [before], [{ ...before, system: '{{!}}' }], 2],
    ['a changed user text', [before], [{ ...before, user: '{{!}}', model: 'x' }], 3],
    ['a changed source', [before], [{ ...before, source: '{{}}, {{}}, U' }], 3],
    ['no text without notes', [], [pinned()], undefined],
    ['no text that was reported before', [before], [{ ...before, model: 'x' }], undefined],
    ['no unchanged prompt', [before], [before], undefined],
    ['no removed prompt', [before], [], undefined],
  ])('%s', (_, old, now, count) => {
    const counts = findNewNotes(comparePrompts(old, now)).map((found) => found.count)
    expect(counts).toEqual(count === undefined ? [] : [count])
  })
})
