import { describe, expect, test } from 'vitest'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { liveLock, pinned } from '../../helpers/pinned.ts'
import { type RunModules, type RunPrompt, runLock } from '../../helpers/run-modules.ts'

/** Runs one prompt. */
async function run(fields: Partial<PinnedPrompt>): Promise<RunModules & { prompt: RunPrompt }> {
  const modules = await runLock(liveLock({ slug: 'triage', ...fields }))
  const prompt = modules.entry.prompts['triage']
  if (prompt === undefined) throw new Error('There is no such prompt.')
  return { ...modules, prompt }
}

/** Renders `{{ a }}` alone, and returns the text for its value. */
async function renderValue(): Promise<(value: unknown) => string> {
  const { prompt } = await run({ system: '{{ a }}' })
  return (a) => prompt.render({ a }).text
}

describe('a prompt in the app', () => {
  test('has its slug, model and version', async () => {
    const { prompt } = await run({ system: '{{b}} {{ a }}', user: '{{ b }}' })
    expect(prompt).toMatchObject({
      slug: 'triage',
      folder: 'support',
      model: 'gpt-5',
      temperature: 0.2,
      version: 'v22',
      environment: 'live',
      variables: ['b', 'a'],
    })
  })

  test('has the environment it is from', async () => {
    const { all } = await runLock({
      environment: 'test',
      parts: [pinned({ slug: 'a', environment: 'test' })],
    })
    expect(all['a']?.environment).toBe('test')
  })

  test.each([0, 1, -0.5, 1e21, 1e-7, 2 ** 53, null])(
    'has the temperature %s',
    async (temperature) => {
      expect((await run({ temperature })).prompt.temperature).toBe(temperature)
    },
  )

  test('has its raw texts, with every spelling of a token', async () => {
    const texts = { system: 'S {{ a }}\r\n{{a}}', user: '{{\ta}} {{}}' }
    const { prompt } = await run(texts)
    expect(prompt.systemSource).toBe(texts.system)
    expect(prompt.userSource).toBe(texts.user)
    expect(prompt.source).toBe(`${texts.system}\n\n${texts.user}`)
  })

  test('has the served source if that is not a join', async () => {
    const { prompt } = await run({ system: 'S {{a}}', user: 'U', source: '{{a}}: S & U {{b}}' })
    expect(prompt.source).toBe('{{a}}: S & U {{b}}')
    expect(prompt.render({ a: 1, b: 2 })).toMatchObject({
      system: 'S 1',
      user: 'U',
      text: '1: S & U 2',
    })
  })

  test('is frozen', async () => {
    const { prompt } = await run({})
    expect(Object.isFrozen(prompt)).toBe(true)
    expect(() => Object.assign(prompt, { model: 'other' })).toThrow(TypeError)
  })

  test('can be spread and serialized', async () => {
    const { prompt } = await run({ system: 'S', user: 'U' })
    expect({ ...prompt }).toHaveProperty('source', 'S\n\nU')
    expect(JSON.parse(JSON.stringify(prompt))).toMatchObject({ systemSource: 'S', variables: [] })
  })
})

describe('rendering', () => {
  test('returns system, user, the whole text, and messages', async () => {
    const { prompt } = await run({ system: 'You help {{ name }}.', user: '{{ticket}}' })
    expect(prompt.render({ name: 'Ada', ticket: 'Help!' })).toEqual({
      system: 'You help Ada.',
      user: 'Help!',
      text: 'You help Ada.\n\nHelp!',
      messages: [
        { role: 'system', content: 'You help Ada.' },
        { role: 'user', content: 'Help!' },
      ],
    })
  })

  const ROLES = [
    { title: 'no user text', system: 'S', user: '', want: ['system'] },
    { title: 'no system text', system: '', user: 'U', want: ['user'] },
    { title: 'no text', system: '', user: '', want: [] },
    { title: 'a user text that comes out empty', system: 'S', user: '{{a}}', want: ['system'] },
    { title: 'a system text that comes out empty', system: '{{a}}', user: 'U', want: ['user'] },
  ]

  test.each(ROLES)('leaves empty roles out: $title', async ({ want, ...texts }) => {
    const { prompt } = await run(texts)
    expect(prompt.render({ a: '' }).messages.map(({ role }) => role)).toEqual(want)
  })

  test('returns new, mutable messages at every call', async () => {
    const { prompt } = await run({ system: 'S', user: 'U' })
    const first = prompt.render()
    first.messages.push({ role: 'user', content: 'more' })
    expect(prompt.render()).not.toBe(first)
    expect(prompt.render().messages).toHaveLength(2)
  })

  test('needs no argument without variables, and accepts one', async () => {
    const { prompt } = await run({ system: 'S' })
    for (const given of [undefined, null, {}, { extra: 1 }]) {
      expect(prompt.render(given).text).toBe('S')
    }
  })

  test.each([
    ['a text', 'x', 'x'],
    ['the empty text', '', ''],
    ['zero', 0, '0'],
    ['a negative zero', -0, '0'],
    ['a fraction', 0.1, '0.1'],
    ['no number', Number.NaN, 'NaN'],
    ['infinity', -Infinity, '-Infinity'],
    ['true', true, 'true'],
    ['false', false, 'false'],
    ['a bigint', 12345678901234567890n, '12345678901234567890'],
  ])('inserts %s with String()', async (_, value, want) => {
    expect((await renderValue())(value)).toBe(want)
  })

  test.each([
    '{{other}}',
    '{{ a }}',
    '$&',
    '$1',
    '$$',
    "$`$'",
    '\\n',
    '`${x}`',
    '\0',
    '\ud83d',
    '</script>',
    '%s',
    '\r\n',
  ])('inserts %j verbatim and never scans it again', async (value) => {
    const { prompt } = await run({ system: '{{ a }}{{other}}{{ a}}', user: '{{a }}' })
    expect(prompt.render({ a: value, other: 'o' })).toMatchObject({
      system: `${value}o${value}`,
      user: value,
    })
  })

  test('does not add numbers', async () => {
    const { prompt } = await run({ system: '{{a}}{{b}}{{a}}', user: '{{b}}' })
    expect(prompt.render({ a: 1, b: 2 })).toMatchObject({ system: '121', user: '2' })
  })

  test('fills braces around a token', async () => {
    const { prompt } = await run({ system: '{{{a}}} {{ a }} }}' })
    expect(prompt.render({ a: 1 }).system).toBe('{1} 1 }}')
  })

  test('leaves what is not a token unchanged', async () => {
    const system = '{{}} {{#if a}} {{1}} {{ unclosed'
    const { prompt } = await run({ system })
    expect(prompt.variables).toEqual([])
    expect(prompt.render().system).toBe(system)
  })

  test('reads each spelling of a variable at most once, and nothing else', async () => {
    const { prompt } = await run({ system: '{{a}} {{a}} {{a}}', user: '{{a}}' })
    const reads: PropertyKey[] = []
    const variables = new Proxy(
      { a: 1, extra: 2 },
      {
        get: (target, name) => reads.push(name) && Reflect.get(target, name),
      },
    )
    prompt.render(variables)
    expect(reads).toEqual(['a'])
  })

  test('a token that occurs twice gets one value, even if a getter returns a different one each time', async () => {
    const { prompt } = await run({ system: '{{id}} and {{id}}', user: '{{id}}' })
    let reads = 0
    const rendered = prompt.render({
      get id() {
        return ++reads
      },
    })
    expect(rendered).toMatchObject({ system: '1 and 1', user: '1' })
  })

  test('throws what a getter throws', async () => {
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

  test('reads variables from getters and prototypes, and ignores others', async () => {
    class Ticket {
      get a(): string {
        return 'from a getter'
      }
      readonly extra = Symbol('ignored')
    }
    const { prompt } = await run({ system: '{{a}}' })
    expect(prompt.render(new Ticket()).system).toBe('from a getter')
  })
})

describe('a variable without a usable value', () => {
  test.each([
    ['left out', {}],
    ['undefined', { a: undefined }],
    ['null', { a: null }],
    ['an object', { a: {} }],
    ['a boxed text', { a: Object('x') }],
    ['an object with toString', { a: { toString: () => 'x' } }],
    ['an array', { a: ['x'] }],
    ['a function', { a: () => 'x' }],
    ['a symbol', { a: Symbol('x') }],
    ['a date', { a: new Date(0) }],
    ['no variables at all', undefined],
    ['null for all', null],
    ['a text for all', 'abc'],
  ])('is refused: %s', async (_, variables) => {
    const { prompt, entry } = await run({ system: '{{ a }}' })
    expect(() => prompt.render(variables)).toThrow(entry.PromptVariableError)
  })

  test('throws an error that names the prompt, its version, and all of them at once', async () => {
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
    'is missing from {} though it inherits %s',
    async (name) => {
      const { prompt, entry } = await run({ system: `{{ ${name} }}` })
      expect(() => prompt.render({})).toThrow(entry.PromptVariableError)
      const own = JSON.parse(`{ ${JSON.stringify(name)}: "own" }`)
      expect(prompt.render(own).system).toBe('own')
    },
  )

  test('has no side effect: the next call works', async () => {
    const { prompt } = await run({ system: '{{a}}' })
    expect(() => prompt.render({})).toThrow('missing or invalid a')
    expect(prompt.render({ a: 1 }).system).toBe('1')
  })
})
