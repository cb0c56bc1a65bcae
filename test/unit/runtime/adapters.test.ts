import { describe, expect, test } from 'vitest'
import { liveLock } from '../../helpers/pinned.ts'
import { type RunPrompt, runLock } from '../../helpers/run-modules.ts'

const LOCK = liveLock(
  { slug: 'both', system: 'Help {{name}}.', user: '{{ ticket }}' },
  { slug: 'system', system: 'S', user: '' },
  { slug: 'user', system: '', user: 'U' },
)

const ADAPTED = [
  {
    adapter: 'toOpenAI',
    both: {
      model: 'gpt-5',
      temperature: 0.2,
      messages: [
        { role: 'system', content: 'Help Ada.' },
        { role: 'user', content: 'T' },
      ],
    },
    system: { model: 'gpt-5', temperature: 0.2, messages: [{ role: 'system', content: 'S' }] },
    user: { model: 'gpt-5', temperature: 0.2, messages: [{ role: 'user', content: 'U' }] },
  },
  {
    adapter: 'toOpenAIResponses',
    both: { instructions: 'Help Ada.', input: 'T' },
    system: { instructions: 'S', input: '' },
    user: { instructions: '', input: 'U' },
  },
  {
    adapter: 'toAnthropic',
    both: { system: 'Help Ada.', messages: [{ role: 'user', content: 'T' }] },
    system: { system: 'S', messages: [] },
    user: { system: '', messages: [{ role: 'user', content: 'U' }] },
  },
  {
    adapter: 'toAISDK',
    both: { system: 'Help Ada.', messages: [{ role: 'user', content: 'T' }] },
    system: { system: 'S', messages: [] },
    user: { system: '', messages: [{ role: 'user', content: 'U' }] },
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
    expect(adapt('both', { name: 'Ada', ticket: 'T' })).toEqual(both)
    expect(adapt('system')).toEqual(system)
    expect(adapt('user')).toEqual(user)
  })

  test.each(ADAPTED)('$adapter throws as render does', async ({ adapter: name }) => {
    const { adapt, PromptVariableError } = await adapter(name)
    expect(() => adapt('both', { name: 'Ada' })).toThrow(PromptVariableError)
  })
})
