import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { startModelService } from '../../helpers/model-service.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { runLock } from '../../helpers/run-modules.ts'

const LOCK = liveLock(
  { slug: 'only-system', system: 'Be kind.' },
  { slug: 'support-triage', system: 'Be {{ tone }}.', user: '{{ ticket }}' },
)
const VALUES = { ticket: 'T', tone: 'calm' }
const REASONING_MODEL = 'gpt-5'

type Adapt = (prompt: unknown, values: unknown, options?: object) => { messages: never }

/** The prompts, the adapters without types, and the SDKs. */
async function setup() {
  const { entry } = await runLock(LOCK)
  const { url, bodies } = await startModelService()
  const options = { apiKey: 'none', maxRetries: 0 }
  return {
    prompts: entry.prompts,
    toOpenAI: entry.toOpenAI as unknown as Adapt,
    toAnthropic: entry.toAnthropic as unknown as Adapt,
    bodies,
    openai: new OpenAI({ ...options, baseURL: url }),
    anthropic: new Anthropic({ ...options, baseURL: url }),
  }
}

describe('a service that refuses empty texts and temperatures', () => {
  test('accepts a prompt without user text together with the history of the app', async () => {
    const { prompts, anthropic, toAnthropic, bodies } = await setup()
    await anthropic.messages.create({
      model: 'claude-opus-4-7',
      max_tokens: 100,
      ...toAnthropic(prompts['only-system'], {}),
      messages: [{ role: 'user', content: 'Hello' }],
    })
    expect(bodies[0]).toMatchObject({ system: 'Be kind.' })
  })

  test('refuses what no adapter sends by itself: a temperature, and no messages', async () => {
    const { prompts, openai, anthropic, toOpenAI, toAnthropic } = await setup()
    const triage = prompts['support-triage']
    const hot = { model: REASONING_MODEL, temperature: 0.2, ...toOpenAI(triage, VALUES) }
    await expect(openai.chat.completions.create(hot)).rejects.toMatchObject({ status: 400 })
    const bare = { model: 'm', max_tokens: 1, ...toAnthropic(prompts['only-system'], {}) }
    await expect(anthropic.messages.create(bare)).rejects.toMatchObject({ status: 400 })
  })
})
