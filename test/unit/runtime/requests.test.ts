import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { generateText as generateText6 } from 'ai'
import { generateText as generateText7 } from 'ai-7'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { EXAMPLE_WORKSPACE } from '../../../src/local-service/workspace.ts'
import { startModelService } from '../../helpers/model-service.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { runLock } from '../../helpers/run-modules.ts'

interface Example {
  readonly prompts: readonly {
    readonly slug: string
    readonly versions: { readonly v1: { readonly system: string; readonly user: string } }
  }[]
}

const LOCK = liveLock(
  { slug: 'only-system', system: 'Be kind.' },
  ...(parse(EXAMPLE_WORKSPACE) as Example).prompts.map(({ slug, versions: { v1 } }) => ({
    slug,
    ...v1,
  })),
)
const VALUES = { ticket: 'T', tone: 'calm', product: 'P', notes: 'N' }
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
    toOpenAIResponses: entry.toOpenAIResponses as unknown as Adapt,
    toAnthropic: entry.toAnthropic as unknown as Adapt,
    toAISDK: entry.toAISDK as unknown as Adapt,
    toAISDK6: entry.toAISDK6 as unknown as Adapt,
    bodies,
    aiSDK: createOpenAI({ apiKey: 'none', baseURL: url }),
    openai: new OpenAI({ ...options, baseURL: url }),
    anthropic: new Anthropic({ ...options, baseURL: url }),
  }
}

describe('a service that refuses empty texts and temperatures', () => {
  test.each(['support-triage', 'sales-follow-up'])(
    'accepts %s of the example from each adapter',
    async (slug) => {
      const { prompts, openai, anthropic, aiSDK, bodies, ...adapters } = await setup()
      const prompt = prompts[slug]
      const model = REASONING_MODEL
      await openai.chat.completions.create({ model, ...adapters.toOpenAI(prompt, VALUES) })
      await openai.responses.create({ model, ...adapters.toOpenAIResponses(prompt, VALUES) })
      await anthropic.messages.create({
        model: 'claude-opus-4-7',
        max_tokens: 100,
        ...adapters.toAnthropic(prompt, VALUES, { cache: true }),
      })
      await generateText7({ model: aiSDK(model), ...adapters.toAISDK(prompt, VALUES) })
      await generateText6({ model: aiSDK(model), ...adapters.toAISDK6(prompt, VALUES) })
      expect(bodies).toHaveLength(5)
      expect(bodies[4]).toEqual(bodies[3])
      expect(bodies[4]?.['input']).toMatchObject([{ role: 'developer' }, { role: 'user' }])
    },
  )

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
