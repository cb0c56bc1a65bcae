import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTemplate, type TemplatePart, textVariables } from '../../../src/core/template.ts'
import { hostileText } from '../../helpers/hostile.ts'
import { sweep } from '../../helpers/sweep.ts'

/** Texts, cut at their tokens. */
const TOKENS: readonly (readonly [title: string, parts: string])[] = [
  ['a name', '{{a}}'],
  ['spaces', '{{  a   }}'],
  ['tabs', '{{\ta \t}}'],
  ['text around', 'x |{{a}}| y'],
  ['neighbours', '{{a}}|{{b}}'],
  ['a dotted name, which is one flat name', '{{a.b}}'],
  ['dashes', '{{a-b--c-}}'],
  ['a name of 200 characters', `{{${'n'.repeat(200)}}}`],
  ['an underscore first', '{{_}}'],
  ['digits after a letter', '{{a1}}'],
  ['an accented name', '{{größe}}'],
  ['a Chinese name', '{{ 票据 }}'],
  ['an astral letter', '{{𝒜b}}'],
  ['Arabic digits', '{{a٣}}'],
  ['a name of the prototype', '{{__proto__}}'],
  ['three braces: the inner two', '{|{{a}}|}'],
  ['four braces: the inner two', '{{|{{a}}|}}'],
  ['a token before stray braces', '{{ a }}| }}'],
  ['a token after an opener', '{{ |{{a}}'],
  ['a token between CRLF', '\r\n|{{a}}|\r\n'],
]

const TEXTS: readonly (readonly [title: string, text: string])[] = [
  ['the empty text', ''],
  ['a plain text', 'Be kind.'],
  ['empty braces', '{{}}'],
  ['braces around spaces', '{{ \t }}'],
  ['a digit first', '{{1}}'],
  ['a name of 201 characters', `{{ ${'n'.repeat(201)} }}`],
  ['a dot first', '{{.a}}'],
  ['a dash first', '{{-a}}'],
  ['a mark first', '{{\u0301a}}'],
  ['a decomposed accent', '{{e\u0301}}'],
  ['a section', '{{#if x}}'],
  ['a partial', '{{> x}}'],
  ['a call', "{{base64('x')}}"],
  ['a filter', '{{ a | upper }}'],
  ['two words', '{{a b}}'],
  ['a dollar name', '{{$a}}'],
  ['an emoji', '{{😀}}'],
  ['a roman numeral, which is neither a letter nor a decimal digit', '{{aⅣ}}'],
  ['half a letter', '{{\ud835}}'],
  ['a line break', '{{\na}}'],
  ['a CRLF', '{{a\r\n}}'],
  ['a no-break space', '{{\u00a0a}}'],
  ['a zero-width space', '{{a\u200b}}'],
  ['an unclosed opener', '{{ a'],
  ['a half-closed one', '{{ a }'],
  ['braces apart', '{ {a}}'],
  ['single braces', '{a}'],
  ['a closer only', 'a}}'],
  ['a closer after a word', 'word}}'],
]

test.each(TOKENS)('a text is cut at its tokens: %s, %j', (_, cut) => {
  const parts = cut.split('|').map((raw): TemplatePart => {
    const [, name] = /^\{\{[ \t]*([^\s{}]+)[ \t]*\}\}$/.exec(raw) ?? []
    return name === undefined ? raw : { raw, name }
  })
  expect(parseTemplate(cut.replaceAll('|', ''))).toEqual(parts)
})

test.each(TEXTS)('what is not a token is text: %s, %j', (_, text) => {
  expect(parseTemplate(text)).toEqual(text === '' ? [] : [text])
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

test.each([
  [
    ['{{b}} {{ a }} {{ b }}', '{{c}}{{a}}'],
    ['b', 'a', 'c'],
  ],
  // Case and Unicode form matter.
  [['{{a}}{{A}}{{é}}'], ['a', 'A', 'é']],
  [['', '{{}} {{ 1 }}'], []],
])('the variables of %j are %j, each once', (texts, want) => {
  expect(textVariables(texts)).toEqual(want)
})
