import { describe, expect, test } from 'vitest'
import { compareLocks } from '../../../src/core/compare.ts'
import { findNewNotes, findNotes } from '../../../src/core/notes.ts'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { pinned } from '../../helpers/pinned.ts'

/** Kind, position and excerpt of each note, as `line:column kind excerpt`. */
function notes(system: string): string[] {
  return findNotes(pinned({ system }), 100).first.map(
    ({ line, column, kind, excerpt }) => `${line}:${column} ${kind} ${excerpt}`,
  )
}

const NOTES: readonly (readonly [title: string, text: string, notes: string[]])[] = [
  ['a token is none', '{{ a }} {{b}}', []],
  ['empty braces', 'x {{}}', ['1:3 empty {{}}']],
  ['braces around white space', '{{ \t}}', ['1:1 empty {{ \t}}']],
  ['a section', '{{#x}}yes{{/x}}', ['1:1 foreign {{#x}}', '1:10 foreign {{/x}}']],
  ['a call', "{{base64('x')}}", ["1:1 foreign {{base64('x')}}"]],
  ['a digit first', '{{1}}', ['1:1 foreign {{1}}']],
  ['an opener at the end', 'x {{', ['1:3 unclosed {{']],
  ['an opener with a name', 'x {{ a', ['1:3 unclosed {{ a']],
  ['an opener before a token', '{{ a {{b}}', ['1:1 unclosed {{ a ']],
  ['two openers', '{{ {{', ['1:1 unclosed {{ ', '1:4 unclosed {{']],
  ['four braces', '{{{{', ['1:1 unclosed {{', '1:3 unclosed {{']],
  ['three braces around a name are a token in single ones', '{{{a}}}', []],
  ['four braces around a name', '{{{{a}}}}', ['1:1 unclosed {{']],
  ['three braces around no name', '{{{!}}}', ['1:1 foreign {{{!}}']],
  ['a stray closer is plain text', '{{ a }} }}', []],
  ['the third line', 'a\nb\n  {{}}', ['3:3 empty {{}}']],
  ['CRLF', 'a\r\n{{}}\r\n{{}}', ['2:1 empty {{}}', '3:1 empty {{}}']],
  ['a token broken over lines', '{{\na}}', ['1:1 foreign {{\na}}']],
  ['a no-break space', '{{\u00a0a\u00a0}}', ['1:1 spaces {{\u00a0a\u00a0}}']],
  ['a wide space', '{{\u3000a}}', ['1:1 spaces {{\u3000a}}']],
  ['decomposed letters', '{{ pre\u0301nom }}', ['1:1 letters {{ pre\u0301nom }}']],
  ['a vowel sign, which is no letter', '{{कि}}', ['1:1 foreign {{कि}}']],
  ['columns in UTF-16 units, as editors count', '😀{{}}', ['1:3 empty {{}}']],
  ['after tokens', '{{a}}\n{{b}}{{}}', ['2:6 empty {{}}']],
]

test.each(NOTES)('of %s, %j, the notes are %j', (_, text, want) => {
  expect(notes(text)).toEqual(want)
})

test.each([
  ['foreign', `{{ ${'x '.repeat(40)}}}`],
  ['unclosed', `{{ ${'x '.repeat(40)}`],
])('an excerpt of a long note that is %s is cut to 40 characters', (kind, text) => {
  expect(notes(text)).toEqual([`1:1 ${kind} ${text.slice(0, 40)}`])
})

test('an excerpt is cut after secrets are masked', () => {
  const prompt = pinned({ system: `{{ f(${'Canary'.repeat(8)}) }}` })
  const mask = (text: string): string => text.replaceAll('Canary'.repeat(8), '[key]')
  expect(findNotes(prompt, 1, mask).first).toMatchObject([{ excerpt: '{{ f([key]) }}' }])
})

describe('a note names the text', () => {
  test('the notes of a prompt are those of its system text, then of its user text', () => {
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

  test('a note is about the source only if that is not a join of the other texts', () => {
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
  const staging: PinnedPrompt = { ...before, environment: 'test', system: '{{!}}' }

  test.each([
    ['a new prompt', [], [before], 1],
    ['a changed system text', [before], [{ ...before, system: '{{!}}' }], 2],
    ['a changed user text', [before], [{ ...before, user: '{{!}}', model: 'x' }], 3],
    ['a changed source', [before], [{ ...before, source: '{{}}, {{}}, U' }], 3],
    ['no text without notes', [], [pinned()], undefined],
    ['no text that was reported before', [before], [{ ...before, model: 'x' }], undefined],
    ['no unchanged prompt', [before], [before], undefined],
    ['no removed prompt', [before], [], undefined],
    ['no live text where a staging version ends', [before, staging], [before], undefined],
  ])('a pull reports %s', (_, old, now, count) => {
    const counts = findNewNotes(compareLocks({ parts: old }, { parts: now })).map(
      (found) => found.count,
    )
    expect(counts).toEqual(count === undefined ? [] : [count])
  })
})
