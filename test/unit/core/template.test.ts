import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseTemplate, type TemplatePart, textVariables } from '../../../src/core/template.ts'
import { hostileText } from '../../helpers/hostile.ts'
import { sweep } from '../../helpers/sweep.ts'

/** A token with this spelling and name. */
function token(raw: string, name: string): TemplatePart {
  return { raw, name }
}

const TOKENS: readonly (readonly [title: string, given: string, want: TemplatePart[]])[] = [
  ['a name', '{{a}}', [token('{{a}}', 'a')]],
  ['spaces', '{{  a   }}', [token('{{  a   }}', 'a')]],
  ['tabs', '{{\ta \t}}', [token('{{\ta \t}}', 'a')]],
  ['text around', 'x {{a}} y', ['x ', token('{{a}}', 'a'), ' y']],
  ['neighbours', '{{a}}{{b}}', [token('{{a}}', 'a'), token('{{b}}', 'b')]],
  ['a dotted name, which is one flat name', '{{a.b}}', [token('{{a.b}}', 'a.b')]],
  ['dashes', '{{a-b--c-}}', [token('{{a-b--c-}}', 'a-b--c-')]],
  [
    'a name of 200 characters',
    `{{${'n'.repeat(200)}}}`,
    [token(`{{${'n'.repeat(200)}}}`, 'n'.repeat(200))],
  ],
  ['an underscore first', '{{_}}', [token('{{_}}', '_')]],
  ['digits after a letter', '{{a1}}', [token('{{a1}}', 'a1')]],
  ['an accented name', '{{größe}}', [token('{{größe}}', 'größe')]],
  ['a Chinese name', '{{ 票据 }}', [token('{{ 票据 }}', '票据')]],
  ['an astral letter', '{{𝒜b}}', [token('{{𝒜b}}', '𝒜b')]],
  ['Arabic digits', '{{a٣}}', [token('{{a٣}}', 'a٣')]],
  ['a name of the prototype', '{{__proto__}}', [token('{{__proto__}}', '__proto__')]],
  ['three braces: the inner two', '{{{a}}}', ['{', token('{{a}}', 'a'), '}']],
  ['four braces: the inner two', '{{{{a}}}}', ['{{', token('{{a}}', 'a'), '}}']],
  ['a token before stray braces', '{{ a }} }}', [token('{{ a }}', 'a'), ' }}']],
  ['a token after an opener', '{{ {{a}}', ['{{ ', token('{{a}}', 'a')]],
  ['a token between CRLF', '\r\n{{a}}\r\n', ['\r\n', token('{{a}}', 'a'), '\r\n']],
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
  test.each(TOKENS)('%s: %s', (_, given, want) => {
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
