import { assert as hold, asyncProperty, constantFrom } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cacheablePrefix } from '../../../src/core/classify-change.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { type RunPrompt, runLock } from '../../helpers/run-modules.ts'
import { sweep } from '../../helpers/sweep.ts'

const LOCK = liveLock(
  { slug: 'both', system: 'Help {{name}}.', user: '{{ ticket }}' },
  { slug: 'empty', system: '', user: '' },
  { slug: 'system', system: 'S', user: '' },
  { slug: 'user', system: '', user: 'U' },
)

const SYSTEM = { role: 'system', content: 'Help Ada.' }
const USER = { role: 'user', content: 'T' }

const MESSAGES = { messages: [USER] }
const ONLY_USER = { messages: [{ role: 'user', content: 'U' }] }
const ONLY_SYSTEM = { messages: [{ role: 'system', content: 'S' }] }

const ADAPTED = [
  ['toOpenAI', { messages: [SYSTEM, USER] }, ONLY_SYSTEM, ONLY_USER],
  [
    'toOpenAIResponses',
    { instructions: 'Help Ada.', input: 'T' },
    { instructions: 'S' },
    { input: 'U' },
  ],
  ['toAnthropic', { system: 'Help Ada.', ...MESSAGES }, { system: 'S' }, ONLY_USER],
  ['toAISDK', { instructions: 'Help Ada.', ...MESSAGES }, { instructions: 'S' }, ONLY_USER],
  ['toAISDK6', { system: 'Help Ada.', ...MESSAGES }, { system: 'S' }, ONLY_USER],
] as const

/** Each part that an adapter can return. */
interface Parts {
  readonly system?: string
  readonly instructions?: string
  readonly input?: string
  readonly messages?: readonly { readonly content: string }[]
}

type Adapt = (prompt?: RunPrompt, variables?: unknown) => Parts

describe.each(ADAPTED)('the adapter %s', (name, both, system, user) => {
  test('returns what the SDK accepts and nothing else, and throws as render does', async () => {
    const { entry } = await runLock(LOCK)
    const adapt = (slug: string, variables?: unknown): Parts =>
      (entry[name] as unknown as Adapt)(entry.prompts[slug], variables)
    expect(adapt('both', { name: 'Ada', ticket: 'T' })).toStrictEqual(both)
    expect(adapt('system')).toStrictEqual(system)
    expect(adapt('user')).toStrictEqual(user)
    expect(adapt('empty')).toStrictEqual({})
    expect(() => adapt('both', { name: 'Ada' })).toThrow(entry.PromptVariableError)
  })

  test('sends each text that is stored, also with values that are empty', async () => {
    const text = constantFrom('', 'T', '{{ a }}', 'T{{ a }}', '{{ a }}{{ b }}')
    const value = constantFrom('', ' ', 'A')
    await hold(
      asyncProperty(text, text, value, value, async (systemText, userText, a, b) => {
        const lock = liveLock({ slug: 'a', system: systemText, user: userText })
        const { entry } = await runLock(lock)
        const parts = (entry[name] as unknown as Adapt)(entry.prompts['a'], { a, b })
        const sent = [parts.system, parts.instructions, parts.input, parts.messages].flat()
        const contents = sent.map((part) => (typeof part === 'object' ? part.content : part))
        const rendered = entry.prompts['a']?.render({ a, b })
        expect(contents.filter((content) => content !== undefined)).toStrictEqual([
          ...(systemText === '' ? [] : [rendered?.system]),
          ...(userText === '' ? [] : [rendered?.user]),
        ])
      }),
      sweep(30),
    )
  })
})

test('the attributes of a span are the name, version and environment of the prompt, and no value of a variable', async () => {
  const { prompts, toSpanAttributes } = (await runLock(LOCK)).entry
  expect(toSpanAttributes(prompts['both'] as RunPrompt)).toEqual({
    'gen_ai.prompt.name': 'both',
    'gen_ai.prompt.version': 'v22',
    'unplugin_prompts.environment': 'live',
  })
})

describe('toAnthropic with cache', () => {
  const long = 'Be kind. '.repeat(500)
  const cached = async (system: string, values: object): Promise<unknown> => {
    const { entry } = await runLock(liveLock({ slug: 'a', system, user: 'U' }))
    const adapt = entry.toAnthropic as unknown as (...args: unknown[]) => { system: unknown }
    return adapt(entry.prompts['a'], values, { cache: true }).system
  }
  const block = (text: string): object => ({
    type: 'text',
    text,
    cache_control: { type: 'ephemeral' },
  })

  test('splits the system text where core says that its constant text ends', async () => {
    const system = `${long}{{ a }}{{ b }} end`
    const end = cacheablePrefix({ system, user: '' })
    expect(await cached(system, { a: '{{', b: 'x' })).toStrictEqual([
      block(long.slice(0, end)),
      { type: 'text', text: '{{x end' },
    ])
  })

  test('sends one block for a constant text, and for a rest of white space', async () => {
    expect(await cached(long, {})).toStrictEqual([block(long)])
    expect(await cached(`${long}{{ a }}\n`, { a: ' ' })).toStrictEqual([block(`${long} \n`)])
  })

  test('sends a text whose constant beginning is shorter than the floor as it is', async () => {
    expect(await cached(`{{ a }}${long}`, { a: 'A' })).toBe(`A${long}`)
    expect(await cached(`${long.slice(0, 3999)}{{ a }}`, { a: 'A' })).toBe(
      `${long.slice(0, 3999)}A`,
    )
  })
})
