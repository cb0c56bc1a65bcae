import * as fc from 'fast-check'
import mustache from 'mustache'
import nunjucks from 'nunjucks'
import { describe, expect, test } from 'vitest'
import { SYNTAXES, type Syntax, toTokens } from '../../../src/core/syntax.ts'
import { sweep } from '../../helpers/sweep.ts'
import { converted, textsOf } from '../../helpers/syntaxes.ts'

describe('a text becomes one with tokens', () => {
  test.each<[Syntax, string, string]>([
    ['f-string', 'Hi {name}', 'Hi {{ name }}'],
    ['f-string', '{{"a": {x}}}', '{"a": {{ x }}}'],
    ['f-string', '{{{x}}}', '{{{ x }}}'],
    ['f-string', '{{}} }}', '{} }'],
    ['f-string', '{{{{', '{{'],
    ['mustache', '{{x}} {{ x }} {{{x}}} {{& x }}', '{{ x }} {{ x }} {{ x }} {{ x }}'],
    ['mustache', '{x} {{\n user.name\t}}}', '{x} {{ user.name }}}'],
    ['mustache', '{{{ user.name }}} {{&\n x }}', '{{ user.name }} {{ x }}'],
    ['mustache', '{% if x %}', '{% if x %}'],
    ['jinja', '{{x}} {{ user.name }}', '{{ x }} {{ user.name }}'],
    ['jinja', '{x} }} %}\n', '{x} }} %}\n'],
    ['jinja', '{{ truex }} {{ self_x }}', '{{ truex }} {{ self_x }}'],
  ])('%s: %j', (syntax, text, want) => {
    expect(toTokens(text, syntax)).toEqual({ text: want })
  })

  test.each(SYNTAXES)('%s: a text without braces stays as it is, byte for byte', (syntax) => {
    const text = 'a\r\n\t$& \u2028 % # <b>\n'
    expect(toTokens(text, syntax)).toEqual({ text })
  })
})

describe('what tokens can not say is refused with its place', () => {
  test.each<[Syntax, string, string]>([
    ['f-string', '{ x }', 'line 1 has { x }'],
    ['f-string', 'a\n{x!r}\nb', 'line 2 has {x!r}'],
    ['f-string', '{x:>{w}}', 'line 1 has {x:>{w}}'],
    ['f-string', '{a.b}', 'line 1 has {a.b}'],
    ['f-string', '{}', 'line 1 has {}'],
    ['f-string', 'a } b', 'line 1 has }'],
    ['f-string', '\n\n{{{{ x }}}}', 'line 3 has {{ x }}'],
    ['f-string', `{${'x'.repeat(201)}}`, `line 1 has {{ ${'x'.repeat(37)}`],
    ['mustache', 'a\n{{#items}}', 'line 2 has {{#items}}'],
    ['mustache', '{{ ^items }}', 'line 1 has {{ ^items }}'],
    ['mustache', '{{> footer}}', 'line 1 has {{> footer}}'],
    ['mustache', '{{! why }}', 'line 1 has {{! why }}'],
    ['mustache', '{{=<% %>=}}', 'line 1 has {{=<% %>=}}'],
    ['mustache', '{{user name}}', 'line 1 has {{user name}}'],
    ['mustache', '{{.}} {{', 'line 1 has {{.}}'],
    ['mustache', '{{{x}}', 'line 1 has {{{x}}'],
    ['jinja', '{% if vip %}', 'line 1 has {% if vip %}'],
    ['jinja', 'a\r\n{# why #}', 'line 2 has {# why #}'],
    ['jinja', '{{ x|upper }}', 'line 1 has {{ x|upper }}'],
    ['jinja', '{{- x }}', 'line 1 has {{- x }}'],
    ['jinja', '{{ none }}', 'line 1 has {{ none }}'],
    ['jinja', '{{ self.x }}', 'line 1 has {{ self.x }}'],
    ['jinja', '{{ a-b }}', 'line 1 has {{ a-b }}'],
    ['jinja', '{{\ufeffx }}', 'line 1 has {{\ufeffx }}'],
    ['jinja', '{{ \u037a }}', 'line 1 has {{ \u037a }}'],
    ['jinja', '{{ x\u037a }}', 'line 1 has {{ x\u037a }}'],
    ['jinja', '{{ x.\u037a }}', 'line 1 has {{ x.\u037a }}'],
    ['jinja', '{{ x. }}', 'line 1 has {{ x. }}'],
  ])('%s: %j', (syntax, text, want) => {
    const refused = `${want}, which can't be a variable or text here`
    expect(toTokens(text, syntax)).toEqual({ refused })
  })
})

/** The engines, with escaping off. */
const environment = new nunjucks.Environment(null, { autoescape: false })
const ENGINES = {
  mustache: (text: string, values: object) =>
    mustache.render(text, values, undefined, { escape: String }),
  jinja: (text: string, values: object) => environment.renderString(text, values),
}

describe('a converted text renders as its engine does', () => {
  test.each(['mustache', 'jinja'] as const)('%s', (syntax) => {
    let count = 0
    fc.assert(
      fc.property(textsOf(syntax), (text) => {
        const conversion = converted(text, syntax)
        // Other than Jinja2, nunjucks has no attributes with the name of a constant.
        if (conversion === undefined || text.includes('.true')) return
        count++
        expect(ENGINES[syntax](text, conversion.values)).toBe(conversion.rendered)
      }),
      sweep(20_000),
    )
    expect(count).toBeGreaterThan(500)
  })
})

test.each(SYNTAXES)(
  '%s: a text with very many openers is refused or converted in linear time',
  (syntax) => {
    for (const part of ['{{ ', '{{x', '{', '{{{', '{{ x }}', '{x}', '}}', '{{&', '{{x.'])
      expect(toTokens(part.repeat(50_000), syntax)).toBeDefined()
    // As long as a text may be: the stack of a regular expression that repeats without a bound overflows.
    for (const [start, part] of [
      '{{| ',
      '{{|a',
      '{{|a.',
      '{{|.a',
      '{|x',
      '|{{',
      '|a',
      '{{a|.a',
    ].map((one) => one.split('|')))
      expect(
        toTokens(start + (part ?? '').repeat(10_000_000 / (part ?? '').length), syntax),
      ).toBeDefined()
  },
)
