import { setImmediate } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'
import { type PinnedPrompt, settingsOf } from '../../src/core/prompt.ts'
import type { PromptService, PromptSummary, ServedPrompt } from '../../src/core/service.ts'
import { PromptsError } from '../../src/errors/prompts-error.ts'
import { type Clock, systemClock } from '../../src/service/retry.ts'
import {
  type Client,
  type ClientOptions,
  createClient,
  type Key,
} from '../../src/service/client.ts'
import { type HostedOptions, openHostedService } from '../../src/service/hosted.ts'
import { pinned } from './pinned.ts'

/** A key that must never be seen anywhere. */
export const KEY = 'svc_live_Canary0123456789abcdefXYZ'

/** One row of a list. */
export const summary: PromptSummary = {
  slug: 'support-triage',
  folder: 'support',
  model: 'gpt-5',
  liveVersion: 'v22',
  stagingVersion: null,
}

/** One whole answer for a prompt. */
export const served: ServedPrompt = {
  ...settingsOf(pinned()),
  source: 'Be kind.\n\n{{ ticket }}',
  systemSource: 'Be kind.',
  userSource: '{{ ticket }}',
  environment: 'live',
}

/** What the client returns for an answer. */
export function toPinned(answer: ServedPrompt): Omit<PinnedPrompt, 'environment'> {
  const { environment: _, systemSource: system, userSource: user, ...fields } = answer
  return { ...fields, system, user }
}

/** One whole answer for the list. */
export const listed: { readonly prompts: readonly PromptSummary[]; readonly planStatus: string } = {
  prompts: [summary],
  planStatus: 'active',
}

/** The real clock, except that waits end at once; `waits` collects them. The random number is always `random`. */
export function hastyClock(random: number = 0.5): Clock & { readonly waits: number[] } {
  const waits: number[] = []
  return {
    ...systemClock,
    random: () => random,
    sleep: async (milliseconds, signal) => {
      waits.push(milliseconds)
      await systemClock.sleep(0, signal)
    },
    waits,
  }
}

/** Lets retries wait no time until the test ends, in clients that have the clock of this machine. */
export function skipRetryWaits(): void {
  const spy = vi.spyOn(systemClock, 'sleep')
  spy.mockImplementation((_, signal) => setImmediate(undefined, { signal }))
  onTestFinished(() => spy.mockRestore())
}

/** A client for one key with sensible options. By default, its connections are closed when the test ends. */
export function connect(
  baseUrl: string,
  { key, ...options }: Partial<ClientOptions> & { readonly key?: Partial<Key> } = {},
  clock: Clock = hastyClock(),
): Client {
  const { value = KEY, source = 'PROMPTS_API_KEY', environment = 'live' } = key ?? {}
  const defaults = { name: 'prompts', concurrency: 4, timeout: 5000, processEnv: {} }
  const secrets = [value]
  return createClient(
    { baseUrl, secrets, signal: untilTestEnds(), ...defaults, ...options },
    { value, source, environment },
    clock,
  )
}

/** The built-in service with these keys, in the order of their variables. */
export function openHosted(
  baseUrl: string,
  keys: readonly string[],
  options: Partial<HostedOptions> = {},
): PromptService {
  const sources = ['PROMPTS_API_KEY', 'PROMPTS_TEST_API_KEY']
  return openHostedService(
    {
      name: 'prompts',
      baseUrl,
      keys: keys.map((value, index) => ({ value, source: sources[index] ?? '' })),
      secrets: keys,
      concurrency: 4,
      timeout: 5000,
      processEnv: {},
      signal: untilTestEnds(),
      ...options,
    },
    hastyClock(),
  )
}

/** A signal that is aborted when the test ends. */
export function untilTestEnds(): AbortSignal {
  const aborter = new AbortController()
  onTestFinished(() => aborter.abort())
  return aborter.signal
}

/** The value or the rejection of a promise. */
export function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => error)
}

/** What a promise is rejected with, which must be an error of this package. */
export async function rejection(promise: Promise<unknown>): Promise<PromptsError> {
  const error = await outcome(promise)
  if (error instanceof PromptsError) return error
  throw new Error('Expected a PromptsError.', { cause: error })
}
