import { assert as hold, asyncProperty, constantFrom } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cacheablePrefix } from '../../../src/core/cacheable-prefix.ts'
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

const ADAPTED = [
  {
    adapter: 'toOpenAI',
    both: { messages: [SYSTEM, USER] },
    system: { messages: [{ role: 'system', content: 'S' }] },
    user: { messages: [{ role: 'user', content: 'U' }] },
  },
  {
    adapter: 'toOpenAIResponses',
    both: { instructions: 'Help Ada.', input: 'T' },
    system: { instructions: 'S' },
    user: { input: 'U' },
  },
  {
    adapter: 'toAnthropic',
    both: { system: 'Help Ada.', messages: [USER] },
    system: { system: 'S' },
    user: { messages: [{ role: 'user', content: 'U' }] },
  },
  {
    adapter: 'toAISDK',
    both: { instructions: 'Help Ada.', messages: [USER] },
    system: { instructions: 'S' },
    user: { messages: [{ role: 'user', content: 'U' }] },
  },
  {
    adapter: 'toAISDK6',
    both: { system: 'Help Ada.', messages: [USER] },
    system: { system: 'S' },
    user: { messages: [{ role: 'user', content: 'U' }] },
  },
] as const

/** Each part that an adapter can return. */
interface Parts {
  readonly system?: string
  readonly instructions?: string
  readonly input?: string
  readonly messages?: readonly { readonly content: string }[]
}

/** Runs the prompts, and calls an adapter with one of them. */
async function adapter(name: (typeof ADAPTED)[number]['adapter']) {
  const { entry } = await runLock(LOCK)
  const adapt = entry[name] as unknown as (prompt?: RunPrompt, variables?: unknown) => unknown
  return {
    ...entry,
    adapt: (slug: string, variables?: unknown) => adapt(entry.prompts[slug], variables),
  }
}

describe('the adapters return what each SDK accepts, and nothing else', () => {
  test.each(ADAPTED)('$adapter', async ({ adapter: name, both, system, user }) => {
    const { adapt } = await adapter(name)
    expect(adapt('both', { name: 'Ada', ticket: 'T' })).toStrictEqual(both)
    expect(adapt('system')).toStrictEqual(system)
    expect(adapt('user')).toStrictEqual(user)
    expect(adapt('empty')).toStrictEqual({})
  })

  test.each(ADAPTED)(
    '$adapter sends each text that is stored, also with values that are empty',
    async ({ adapter: name }) => {
      const text = constantFrom('', 'T', '{{ a }}', 'T{{ a }}', '{{ a }}{{ b }}')
      const value = constantFrom('', ' ', 'A')
      await hold(
        asyncProperty(text, text, value, value, async (system, user, a, b) => {
          const { entry } = await runLock(liveLock({ slug: 'a', system, user }))
          const adapt = entry[name] as unknown as (prompt?: RunPrompt, variables?: unknown) => Parts
          const parts = adapt(entry.prompts['a'], { a, b })
          const sent = [parts.system, parts.instructions, parts.input, parts.messages]
          const contents = sent
            .flat()
            .map((part) => (typeof part === 'object' ? part.content : part))
          const rendered = entry.prompts['a']?.render({ a, b })
          expect(contents.filter((content) => content !== undefined)).toStrictEqual([
            ...(system === '' ? [] : [rendered?.system]),
            ...(user === '' ? [] : [rendered?.user]),
          ])
        }),
        sweep(30),
      )
    },
  )

  test.each(ADAPTED)('$adapter throws as render does', async ({ adapter: name }) => {
    const { adapt, PromptVariableError } = await adapter(name)
    expect(() => adapt('both', { name: 'Ada' })).toThrow(PromptVariableError)
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
