import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseTemplate, type TemplatePart, textVariables } from '../../../src/core/template.ts'
import { hostileText } from '../../helpers/hostile.ts'
import { sweep } from '../../helpers/sweep.ts'

/** A token with this spelling and name. */
function token(raw: string, name: string): TemplatePart {
  return { raw, name }
}

const TOKENS = [
  { title: 'a name', given: '{{a}}', want: [token('{{a}}', 'a')] },
  { title: 'spaces', given: '{{  a   }}', want: [token('{{  a   }}', 'a')] },
  { title: 'tabs', given: '{{\ta \t}}', want: [token('{{\ta \t}}', 'a')] },
  { title: 'text around', given: 'x {{a}} y', want: ['x ', token('{{a}}', 'a'), ' y'] },
  { title: 'neighbours', given: '{{a}}{{b}}', want: [token('{{a}}', 'a'), token('{{b}}', 'b')] },
  {
    title: 'a dotted name, which is one flat name',
    given: '{{a.b}}',
    want: [token('{{a.b}}', 'a.b')],
  },
  { title: 'dashes', given: '{{a-b--c-}}', want: [token('{{a-b--c-}}', 'a-b--c-')] },
  {
    title: 'a name of 200 characters',
    given: `{{${'n'.repeat(200)}}}`,
    want: [token(`{{${'n'.repeat(200)}}}`, 'n'.repeat(200))],
  },
  { title: 'an underscore first', given: '{{_}}', want: [token('{{_}}', '_')] },
  { title: 'digits after a letter', given: '{{a1}}', want: [token('{{a1}}', 'a1')] },
  { title: 'an accented name', given: '{{größe}}', want: [token('{{größe}}', 'größe')] },
  { title: 'a Chinese name', given: '{{ 票据 }}', want: [token('{{ 票据 }}', '票据')] },
  { title: 'an astral letter', given: '{{𝒜b}}', want: [token('{{𝒜b}}', '𝒜b')] },
  { title: 'Arabic digits', given: '{{a٣}}', want: [token('{{a٣}}', 'a٣')] },
  {
    title: 'a name of the prototype',
    given: '{{__proto__}}',
    want: [token('{{__proto__}}', '__proto__')],
  },
  { title: 'three braces: the inner two', given: '{{{a}}}', want: ['{', token('{{a}}', 'a'), '}'] },
  {
    title: 'four braces: the inner two',
    given: '{{{{a}}}}',
    want: ['{{', token('{{a}}', 'a'), '}}'],
  },
  {
    title: 'a token before stray braces',
    given: '{{ a }} }}',
    want: [token('{{ a }}', 'a'), ' }}'],
  },
  { title: 'a token after an opener', given: '{{ {{a}}', want: ['{{ ', token('{{a}}', 'a')] },
  {
    title: 'a token between CRLF',
    given: '\r\n{{a}}\r\n',
    want: ['\r\n', token('{{a}}', 'a'), '\r\n'],
  },
]

const TEXTS = [
  { title: 'the empty text', given: '' },
  { title: 'a plain text', given: 'Be kind.' },
  { title: 'empty braces', given: '{{}}' },
  { title: 'braces around spaces', given: '{{ \t }}' },
  { title: 'a digit first', given: '{{1}}' },
  { title: 'a name of 201 characters', given: `{{ ${'n'.repeat(201)} }}` },
  { title: 'a dot first', given: '{{.a}}' },
  { title: 'a dash first', given: '{{-a}}' },
  { title: 'a mark first', given: '{{\u0301a}}' },
  { title: 'a decomposed accent', given: '{{e\u0301}}' },
  { title: 'a section', given: '{{#if x}}' },
  { title: 'a partial', given: '{{> x}}' },
  { title: 'a call', given: "{{base64('x')}}" },
  { title: 'a filter', given: '{{ a | upper }}' },
  { title: 'two words', given: '{{a b}}' },
  { title: 'a dollar name', given: '{{$a}}' },
  { title: 'an emoji', given: '{{😀}}' },
  { title: 'a roman numeral, which is neither a letter nor a decimal digit', given: '{{aⅣ}}' },
  { title: 'half a letter', given: '{{\ud835}}' },
  { title: 'a line break', given: '{{\na}}' },
  { title: 'a CRLF', given: '{{a\r\n}}' },
  { title: 'a no-break space', given: '{{\u00a0a}}' },
  { title: 'a zero-width space', given: '{{a\u200b}}' },
  { title: 'an unclosed opener', given: '{{ a' },
  { title: 'a half-closed one', given: '{{ a }' },
  { title: 'braces apart', given: '{ {a}}' },
  { title: 'single braces', given: '{a}' },
  { title: 'a closer only', given: 'a}}' },
  { title: 'a closer after a word', given: 'word}}' },
]

describe('a text is cut at its tokens', () => {
  test.each(TOKENS)('$title: $given', ({ given, want }) => {
    expect(parseTemplate(given)).toEqual(want)
  })
})

describe('everything else in braces is text', () => {
  test.each(TEXTS)('$title: $given', ({ given }) => {
    expect(parseTemplate(given)).toEqual(given === '' ? [] : [given])
  })
})

test('joining the parts of any text returns the text, and literals are never adjacent', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const parts = parseTemplate(text)
      expect(parts.map((part) => (typeof part === 'string' ? part : part.raw)).join('')).toBe(text)
      expect(parts).not.toContain('')
      expect(parts.map((part) => typeof part).join(' ')).not.toContain('string string')
    }),
    sweep(),
  )
})

describe('the variables of texts', () => {
  test('are listed once each, by first appearance, in any spelling', () => {
    expect(textVariables(['{{b}} {{ a }} {{ b }}', '{{c}}{{a}}'])).toEqual(['b', 'a', 'c'])
  })

  test('differ by case and by Unicode form', () => {
    expect(textVariables(['{{a}}{{A}}{{é}}'])).toEqual(['a', 'A', 'é'])
  })

  test('are empty without tokens', () => {
    expect(textVariables(['', '{{}} {{ 1 }}'])).toEqual([])
  })
})
