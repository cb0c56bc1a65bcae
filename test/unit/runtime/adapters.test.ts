import { describe, expect, test } from 'vitest'
import { liveLock } from '../../helpers/pinned.ts'
import { type RunPrompt, runLock } from '../../helpers/run-modules.ts'

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

  test.each(ADAPTED)('$adapter throws as render does', async ({ adapter: name }) => {
    const { adapt, PromptVariableError } = await adapter(name)
    expect(() => adapt('both', { name: 'Ada' })).toThrow(PromptVariableError)
  })
})
