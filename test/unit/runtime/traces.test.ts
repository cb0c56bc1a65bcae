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

/** A provider of tracers, with the spans that it has exported. */
function memory() {
  const exporter = new InMemorySpanExporter()
  const spanProcessors = [new SimpleSpanProcessor(exporter)]
  return { exporter, provider: new BasicTracerProvider({ spanProcessors }) }
}

test('spans carry the name, version and environment of the prompt, and no value of a variable', async () => {
  const lock = liveLock({ slug: 'triage', version: 'v7', system: 'Sort {{ ticket }}.', user: '' })
  const { prompts, toSpanAttributes } = (await runLock(lock)).entry
  const attributes = toSpanAttributes(prompts['triage'] as RunPrompt)
  const { exporter, provider } = memory()
  const tracer = provider.getTracer('app')
  tracer.startSpan('chat').setAttributes(attributes).end()
  const model = new MockLanguageModelV3({
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
  const telemetry = { isEnabled: true, tracer, recordInputs: false, metadata: attributes }
  await generateText({ model, prompt: 'Sort it.', experimental_telemetry: telemetry })

  const want = {
    'gen_ai.prompt.name': 'triage',
    'gen_ai.prompt.version': 'v7',
    'unplugin_prompts.environment': 'live',
  }
  const spans = exporter.getFinishedSpans()
  const attributesOf = (wanted: string) => spans.find(({ name }) => name === wanted)?.attributes
  expect(attributesOf('chat')).toEqual(want)
  const metadata = Object.entries(want).map(([name, value]) => [
    `ai.telemetry.metadata.${name}`,
    value,
  ])
  expect(attributesOf('ai.generateText')).toMatchObject(Object.fromEntries(metadata))
})

test('Langfuse has the slug and the version as metadata that can be filtered by', () => {
  const { exporter, provider } = memory()
  setLangfuseTracerProvider(provider)
  onTestFinished(() => setLangfuseTracerProvider(null))
  const metadata = { prompt: 'triage', promptVersion: 'v7' }
  startObservation('triage', { metadata }, { asType: 'generation' }).end()
  expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({
    'langfuse.observation.metadata.prompt': 'triage',
    'langfuse.observation.metadata.promptVersion': 'v7',
  })
})
