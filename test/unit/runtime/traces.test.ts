import { setLangfuseTracerProvider, startObservation } from '@langfuse/tracing'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { generateText } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { expect, onTestFinished, test } from 'vitest'
import { liveLock } from '../../helpers/pinned.ts'
import { type RunPrompt, runLock } from '../../helpers/run-modules.ts'

const ATTRIBUTES = {
  'gen_ai.prompt.name': 'triage',
  'gen_ai.prompt.version': 'v7',
  'unplugin_prompts.environment': 'live',
}

const answer = new MockLanguageModelV3({
  doGenerate: {
    content: [{ type: 'text', text: 'fine' }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  },
})

test('spans carry the name, version and environment of the prompt, and no value of a variable', async () => {
  const lock = liveLock({ slug: 'triage', version: 'v7', system: 'Sort {{ ticket }}.', user: '' })
  const { entry } = await runLock(lock)
  const { prompts, toSpanAttributes } = entry
  const triage = prompts['triage'] as RunPrompt
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const tracer = provider.getTracer('app')

  const span = tracer.startSpan('chat')
  span.setAttributes(toSpanAttributes(triage))
  span.end()
  await generateText({
    model: answer,
    prompt: 'Sort it.',
    experimental_telemetry: {
      isEnabled: true,
      tracer,
      recordInputs: false,
      metadata: toSpanAttributes(triage),
    },
  })

  const spans = exporter.getFinishedSpans()
  expect(spans.find(({ name }) => name === 'chat')?.attributes).toEqual(ATTRIBUTES)
  const generated = spans.find(({ name }) => name === 'ai.generateText')
  expect(generated?.attributes).toMatchObject({
    'ai.telemetry.metadata.gen_ai.prompt.name': 'triage',
    'ai.telemetry.metadata.gen_ai.prompt.version': 'v7',
  })
})

test('Langfuse has the slug and the version as metadata that can be filtered by', () => {
  const exporter = new InMemorySpanExporter()
  const processor = new SimpleSpanProcessor(exporter)
  setLangfuseTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }))
  onTestFinished(() => setLangfuseTracerProvider(null))

  const metadata = { prompt: 'triage', promptVersion: 'v7' }
  startObservation('triage', { metadata }, { asType: 'generation' }).end()

  expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({
    'langfuse.observation.metadata.prompt': 'triage',
    'langfuse.observation.metadata.promptVersion': 'v7',
  })
})
