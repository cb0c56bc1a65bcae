import { expect, test } from 'vitest'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { type RunModules, type RunPrompt, runLock } from '../../helpers/run-modules.ts'

type Fields = Partial<PinnedPrompt>

/** Runs one prompt. */
async function run(fields: Fields): Promise<RunModules & { prompt: RunPrompt }> {
  const modules = await runLock(liveLock({ slug: 'triage', ...fields }))
  const prompt = modules.entry.prompts['triage']
  if (prompt === undefined) throw new Error('There is no such prompt.')
  return { ...modules, prompt }
}

const PLAIN = {
  slug: 'triage',
  folder: 'support',
  model: 'gpt-5',
  version: 'v22',
  environment: 'live',
}
const SPELLINGS = { system: 'S {{ a }}\r\n{{a}}', user: '{{\ta}} {{}}' }
const SOURCES = { systemSource: SPELLINGS.system, userSource: SPELLINGS.user }

const FIELDS: readonly (readonly [title: string, fields: Fields, want: object])[] = [
  ['what identifies it', {}, PLAIN],
  ['its variables once', { system: '{{b}} {{ a }}', user: '{{ b }}' }, { variables: ['b', 'a'] }],
  ['its raw texts, with each spelling', SPELLINGS, { ...SOURCES, variables: ['a'] }],
  ['the source of both texts', SPELLINGS, { source: `${SPELLINGS.system}\n\n${SPELLINGS.user}` }],
  ['the served source if that is no join', { source: '{{a}}: S' }, { source: '{{a}}: S' }],
  ...[0, 1, -0.5, 1e21, 1e-7, 2 ** 53, null].map(
    (temperature) => [`the temperature ${temperature}`, { temperature }, { temperature }] as const,
  ),
]

test.each(FIELDS)('a prompt in the app has %s', async (_, fields, want) => {
  expect((await run(fields)).prompt).toMatchObject(want)
})

test('a prompt in the app is frozen, and can be spread and serialized', async () => {
  const { prompt } = await run({ system: 'S', user: 'U' })
  expect(() => Object.assign(prompt, { model: 'other' })).toThrow(TypeError)
  expect({ ...prompt }).toHaveProperty('source', 'S\n\nU')
  expect(JSON.parse(JSON.stringify(prompt))).toMatchObject({ systemSource: 'S', variables: [] })
})

type Rendered = readonly [title: string, texts: Fields, variables: unknown, want: object]

const BOTH = { system: 'You help {{ name }}.', user: '{{ticket}}' }
const SYSTEM = { role: 'system', content: 'You help Ada.' }
const USER = { role: 'user', content: 'Help!' }

const VERBATIM = ['{{other}}', '{{ a }}', '$&', '$1', '$$', "$`$'", '\\n', '`${x}`', '\0', '\ud83d']

const UNREAD = { system: '{{}} {{#if a}} {{1}} {{ unclosed' }

class Ticket {
  get a(): string {
    return 'got'
  }
  readonly extra = Symbol('ignored')
}

const RENDERED: readonly Rendered[] = [
  ['system', BOTH, { name: 'Ada', ticket: 'Help!' }, { system: 'You help Ada.' }],
  ['user', BOTH, { name: 'Ada', ticket: 'Help!' }, { user: 'Help!' }],
  ['text', BOTH, { name: 'Ada', ticket: 'Help!' }, { text: 'You help Ada.\n\nHelp!' }],
  ['messages', BOTH, { name: 'Ada', ticket: 'Help!' }, { messages: [SYSTEM, USER] }],
  ['no empty user message', { user: '' }, {}, { messages: [{ role: 'system' }] }],
  ['no empty system message', { system: '', user: 'U' }, {}, { messages: [{ role: 'user' }] }],
  ['no message without texts', { system: '', user: '' }, {}, { messages: [] }],
  ['no message of an empty value', { system: '{{a}}' }, { a: '' }, { messages: [] }],
  ['a text without variables for no argument', {}, undefined, { text: 'Be kind.' }],
  ['a text without variables for null', {}, null, { text: 'Be kind.' }],
  ['a text without variables for others', {}, { extra: 1 }, { text: 'Be kind.' }],
  ['a value in a source that is no join', { source: '{{a}}: S' }, { a: 1 }, { text: '1: S' }],
  ['no sum of numbers', { system: '{{a}}{{b}}{{a}}' }, { a: 1, b: 2 }, { system: '121' }],
  ['braces around a token', { system: '{{{a}}} {{ a }} }}' }, { a: 1 }, { system: '{1} 1 }}' }],
  ['what is not a token', UNREAD, undefined, UNREAD],
  ['a value of a prototype', { system: '{{a}}' }, new Ticket(), { system: 'got' }],
  ...(
    [
      ['text', 'x', 'x'],
      ['negative zero', -0, '0'],
      ['fraction', 0.1, '0.1'],
      ['NaN', Number.NaN, 'NaN'],
      ['infinity', -Infinity, '-Infinity'],
      ['false', false, 'false'],
      ['bigint', 12345678901234567890n, '12345678901234567890'],
    ] as const
  ).map(([type, a, text]): Rendered => [
    `a ${type} by String()`,
    { system: '{{ a }}' },
    { a },
    { text },
  ]),
  ...[...VERBATIM, '</script>', '%s', '\r\n'].map((a): Rendered => [
    `${JSON.stringify(a)} verbatim, which is not scanned again`,
    { system: '{{ a }}{{other}}{{ a}}', user: '{{a }}' },
    { a, other: 'o' },
    { system: `${a}o${a}`, user: a },
  ]),
]

test.each(RENDERED)('a rendered prompt has %s', async (_, texts, variables, want) => {
  const { prompt } = await run(texts)
  const rendered = prompt.render(variables)
  expect(rendered).toMatchObject(want)
  expect(Object.keys(rendered).toSorted()).toEqual(['messages', 'system', 'text', 'user'])
})

test('rendering returns new, mutable messages at every call', async () => {
  const { prompt } = await run({ system: 'S', user: 'U' })
  const first = prompt.render()
  first.messages.push({ role: 'user', content: 'more' })
  expect(prompt.render().messages).toHaveLength(2)
})

test('rendering reads each variable once, even if a getter differs each time, and no other', async () => {
  const { prompt } = await run({ system: '{{id}} and {{id}}', user: '{{id}}' })
  const reads: PropertyKey[] = []
  const get = (_: object, name: PropertyKey): number => reads.push(name)
  const rendered = prompt.render(new Proxy({}, { get }))
  expect(rendered).toMatchObject({ system: '1 and 1', user: '1' })
  expect(reads).toEqual(['id'])
})

test('rendering throws what a getter throws', async () => {
  const { prompt } = await run({ system: '{{a}} {{b}}' })
  const fault = new RangeError('from the getter')
  const variables = {
    a: 1,
    get b() {
      throw fault
    },
  }
  expect(() => prompt.render(variables)).toThrow(fault)
})

test.each([
  ['is left out', {}],
  ['is undefined', { a: undefined }],
  ['is null', { a: null }],
  ['is an object', { a: {} }],
  ['is a boxed text', { a: Object('x') }],
  ['is an object with toString', { a: { toString: () => 'x' } }],
  ['is an array', { a: ['x'] }],
  ['is a function', { a: () => 'x' }],
  ['is a symbol', { a: Symbol('x') }],
  ['is a date', { a: new Date(0) }],
  ['is missing with all others', undefined],
  ['is looked for in null', null],
  ['is looked for in a text', 'abc'],
])('a variable is refused if it %s, and the next call works', async (_, variables) => {
  const { prompt, entry } = await run({ system: '{{ a }}' })
  expect(() => prompt.render(variables)).toThrow(entry.PromptVariableError)
  expect(prompt.render({ a: 1 }).system).toBe('1')
})

test('PromptVariableError names the prompt, its version, and all variables without a value', async () => {
  const { prompt, entry } = await run({ system: '{{c}} {{a}} {{ok}} {{ a }}', user: '{{ b }}' })
  expect(() => prompt.render({ ok: 1, b: null })).toThrow(
    expect.objectContaining({
      name: 'PromptVariableError',
      slug: 'triage',
      version: 'v22',
      missing: ['c', 'a', 'b'],
      message: 'triage v22: missing or invalid c,a,b',
    }),
  )
  expect(new entry.PromptVariableError('s', 'v', [])).toBeInstanceOf(Error)
})

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
  'the variable %s is missing from {} though every object inherits it',
  async (name) => {
    const { prompt, entry } = await run({ system: `{{ ${name} }}` })
    expect(() => prompt.render({})).toThrow(entry.PromptVariableError)
    const own = JSON.parse(`{ ${JSON.stringify(name)}: "own" }`)
    expect(prompt.render(own).system).toBe('own')
  },
)
