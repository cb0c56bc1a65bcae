import * as fc from 'fast-check'
import { type Syntax, toTokens } from '../../src/core/syntax.ts'
import { parseTemplate, textVariables } from '../../src/core/template.ts'
import { HOSTILE } from './hostile.ts'

/** What means something in one of the syntaxes, or nearly does. */
const FRAGMENTS = [
  '{x}|{{x}}|{{{x}}}|{{{{x}}}}|{{ x }}|{{ a.b }}|{{&x}}|{{ & größe_1 }}|{{\nx\n}}|{{ { x } }}|{{{x}}',
  '{x!r}|{x:>{w}}|{ x }|{}|{0}|{a.b}|{a[b]}|{constructor}|{_x1}|{größe_1}',
  '{{#x}}|{{/x}}|{{^x}}|{{!x}}|{{>x}}|{{=<% %>=}}',
  '{% if x %}|{% endif %}|{# x #}|{{- x -}}|{{ "x" }}|{{ 1 }}|{{ a-b }}|{{ x(1) }}',
  '{{ true }}|{{ self }}|{{ not }}|{{ x1.true }}|{|}|{{|}}|%}| |x|\n|\r\n',
].flatMap((line) => line.split('|'))

const anything = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...FRAGMENTS) },
  fc.constantFrom(...HOSTILE.filter((text) => !text.includes('__proto__'))),
  fc.string({ unit: 'binary', maxLength: 4 }),
)

/** Variables and texts that are harmless in a syntax, so that most texts are converted. */
const HARMLESS: Readonly<Record<Syntax, readonly string[]>> = {
  'f-string': ['{x}', '{größe_1}', '{{', '}}', '{{"a": ', ' Hi ', '\n'],
  mustache: ['{{x}}', '{{ a.b }}', '{{{y}}}', '{{& y }}', '{ ', ' }', ' Hi ', '\n'],
  jinja: ['{{x}}', '{{ a.b }}', '{{\n_y}}', '{ ', ' }', ' Hi ', '\n'],
}

/** Texts of a syntax: anything, or what tokens can say. */
export function textsOf(syntax: Syntax): fc.Arbitrary<string> {
  const joined = (parts: fc.Arbitrary<string>) =>
    fc.array(parts, { maxLength: 8 }).map((all) => all.join(''))
  return fc.oneof(joined(anything), joined(fc.constantFrom(...HARMLESS[syntax])))
}

/** A converted text with a value for each variable, and what this package renders of it. */
export interface Converted {
  readonly text: string
  /** A dotted name is a path, as engines read it. */
  readonly values: Readonly<Record<string, unknown>>
  readonly rendered: string
}

/** Values that an engine could take for a template, for HTML or for a pattern. */
const VALUES = ['<b>&"', '{{ x }}', '{x}', '$&', '{% if %}', '']

/** `undefined` for a text that is refused, or that has a name that is also a path. */
export function converted(text: string, syntax: Syntax): Converted | undefined {
  const conversion = toTokens(text, syntax)
  if ('refused' in conversion) return undefined
  const names = textVariables([conversion.text])
  if (names.some((name) => names.some((other) => other.startsWith(`${name}.`)))) return undefined
  const valueOf = (name: string): string => VALUES[names.indexOf(name)] ?? name
  const values = {}
  for (const name of names) place(values, name.split('.'), valueOf(name))
  const parts = parseTemplate(conversion.text)
  const rendered = parts.map((part) => (typeof part === 'string' ? part : valueOf(part.name)))
  return { text, values, rendered: rendered.join('') }
}

function place(target: Record<string, unknown>, path: readonly string[], value: string): void {
  const [first = '', ...rest] = path
  if (rest.length === 0) target[first] = value
  else {
    const inner = Object.hasOwn(target, first) ? target[first] : {}
    target[first] = inner
    place(inner as Record<string, unknown>, rest, value)
  }
}
