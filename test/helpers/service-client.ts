import { setImmediate } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'
import { secretForms } from '../../src/core/secrets.ts'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import type { PromptService, PromptSummary, ServedPrompt } from '../../src/core/service.ts'
import { settingsOf } from '../../src/core/settings.ts'
import { PromptsError } from '../../src/errors/prompts-error.ts'
import { clock } from '../../src/service/retry.ts'
import {
  type Client,
  type ClientOptions,
  createClient,
  type HostedOptions,
  type Key,
  openHostedService,
} from '../../src/service/hosted.ts'
import type { Play } from './fault-server.ts'
import { pinned } from './pinned.ts'

/** A key that must never be seen anywhere. */
export const KEY = 'svc_live_Canary0123456789abcdefXYZ'

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

/** The time limit of clients in tests, in milliseconds. */
export const TIMEOUT = 5000

/**
 * Stops the time until the test ends: only {@link passTime} lets time limits end. Waits for retries end at
 * once, and are collected. All chances are `random`.
 */
export function stopTime(random: number = 0.5): { readonly waits: number[] } {
  const waits: number[] = []
  time = { now: 0, timers: [] }
  const spies = [
    vi.spyOn(clock, 'elapsed').mockImplementation(() => time.now),
    vi.spyOn(clock, 'timer').mockImplementation((milliseconds, act) => {
      const timer = { end: time.now + milliseconds, act }
      time.timers.push(timer)
      return {
        close: () => void (timer.end = Infinity),
        refresh: () => void (timer.end = time.now + milliseconds),
      }
    }),
    vi.spyOn(clock, 'random').mockReturnValue(random),
    vi.spyOn(clock, 'sleep').mockImplementation((milliseconds, signal) => {
      waits.push(milliseconds)
      return setImmediate(undefined, { signal })
    }),
  ]
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  return { waits }
}

interface Timer {
  /** `Infinity` when it has ended. */
  end: number
  readonly act: () => void
}

let time: { now: number; timers: Timer[] } = { now: 0, timers: [] }

/** Lets time pass, after {@link stopTime}. */
export function passTime(milliseconds: number): void {
  time.now += milliseconds
  const over = time.timers.filter(({ end }) => end <= time.now)
  for (const timer of over) timer.end = Infinity
  for (const { act } of over) act()
}

/** Accepts the request, and does not answer in time. */
export const stallTooLong: Play = () => passTime(TIMEOUT)

/** A client for one key with sensible options. Its connections are closed when the test ends, and time stands still. */
export function connect(
  baseUrl: string,
  { key, ...options }: Partial<ClientOptions> & { readonly key?: Partial<Key> } = {},
): Client {
  if (!vi.isMockFunction(clock.sleep)) stopTime()
  const { value = KEY, source = 'PROMPTS_API_KEY', environment = 'live' } = key ?? {}
  const defaults = { name: 'prompts', concurrency: 4, timeout: TIMEOUT, processEnv: {} }
  const secrets = secretForms(value)
  return createClient(
    { baseUrl, secrets, signal: untilTestEnds(), ...defaults, ...options },
    { value, source, environment },
  )
}

/** The built-in service with these keys, in the order of their variables. */
export function openHosted(
  baseUrl: string,
  keys: readonly string[],
  options: Partial<HostedOptions> = {},
): PromptService {
  const sources = ['PROMPTS_API_KEY', 'PROMPTS_TEST_API_KEY']
  return openHostedService({
    name: 'prompts',
    baseUrl,
    keys: keys.map((value, index) => ({ value, source: sources[index] ?? '' })),
    secrets: keys.flatMap(secretForms),
    concurrency: 4,
    timeout: TIMEOUT,
    processEnv: {},
    signal: untilTestEnds(),
    ...options,
  })
}

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
