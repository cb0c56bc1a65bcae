import { describe, expect, test } from 'vitest'
import { isPromptsError } from '../../../src/errors/prompts-error.ts'
import {
  AttemptFailure,
  type Budget,
  type Clock,
  type Retry,
  systemClock,
  withRetries,
} from '../../../src/service/retry.ts'

interface Attempt {
  /** Milliseconds that the attempt takes. */
  readonly takes: number
  readonly retry?: Retry
}

interface Run {
  /** The answer, or the attempts that the error counts. */
  readonly ending: unknown
  readonly budgets: Budget[]
  readonly waits: number[]
}

/** Plays attempts on a clock of its own; one without `retry` succeeds. */
async function play(
  attempts: readonly Attempt[],
  { timeout = 30_000, random = 0.5 }: { timeout?: number; random?: number } = {},
): Promise<Run> {
  let now = 1_000_000
  const [budgets, waits]: [Budget[], number[]] = [[], []]
  const clock: Clock = {
    elapsed: () => now,
    random: () => random,
    sleep: async (milliseconds) => {
      now += milliseconds
    },
  }
  const attempt = async (budget: Budget): Promise<string> => {
    const { takes, retry } = attempts[budgets.push(budget) - 1] ?? { takes: 0 }
    now += takes
    if (retry === undefined) return 'answer'
    const details = { url: '', reason: '', workspace: 'prompts', attempts: 1 }
    throw new AttemptFailure('SERVICE_UNREACHABLE', details, { retry })
  }
  const { signal } = new AbortController()
  const context = { timeout, clock, mask: (text: string) => text, signal }
  const ending = await withRetries(context, attempt, ({ wait }) => waits.push(wait)).catch(
    (error: unknown) => {
      if (isPromptsError(error, 'SERVICE_UNREACHABLE')) return { attempts: error.details.attempts }
      throw error
    },
  )
  return { ending, budgets, waits }
}

const again: Attempt = { takes: 0, retry: 'backoff' }

describe('withRetries', () => {
  test.each([
    [0, [0, 0]],
    [0.5, [250, 500]],
    [0.999, [499.5, 999]],
  ])('with the chance %d the waits are %j: full jitter, doubled', async (random, want) => {
    expect((await play([again, again, again], { random })).waits).toEqual(want)
  })

  test('headers get a third of the deadline, and at most what is left of it', async () => {
    const slow: Attempt = { takes: 10_000, retry: 'backoff' }
    const { budgets, ending } = await play([slow, slow, slow])
    expect(budgets).toEqual([
      { headers: 10_000, total: 30_000 },
      { headers: 10_000, total: 19_750 },
      { headers: 9250, total: 9250 },
    ])
    expect(ending).toEqual({ attempts: 3 })
  })

  test('no wait is begun that the deadline would cut', async () => {
    const { ending, waits } = await play([{ takes: 900, retry: 'backoff' }], { timeout: 1000 })
    expect([ending, waits]).toMatchObject([{ attempts: 1 }, []])
  })

  test('a wait that would end with the deadline is not begun either', async () => {
    const { ending, waits } = await play([{ takes: 750, retry: 'backoff' }], { timeout: 1000 })
    expect([ending, waits]).toMatchObject([{ attempts: 1 }, []])
    expect((await play([{ takes: 749, retry: 'backoff' }], { timeout: 1000 })).waits).toEqual([250])
  })

  test('a requested delay is exact and extends the time limit', async () => {
    const asked: Attempt = { takes: 100, retry: { after: 60_000 } }
    const { budgets, waits } = await play([asked, asked, { takes: 0 }], { timeout: 1000 })
    expect(waits).toEqual([60_000, 60_000])
    expect(budgets.map(({ total }) => total)).toEqual([1000, 900, 800])
  })

  test('after the deadline nothing is waited for', async () => {
    const late: Attempt = { takes: 1000, retry: { after: 0 } }
    expect((await play([late, late], { timeout: 1000 })).ending).toMatchObject({ attempts: 1 })
  })
})

describe('the clock of this machine', () => {
  test('ends a wait by an abort, before it or within it', async () => {
    const controller = new AbortController()
    const waiting = systemClock.sleep(3_600_000, controller.signal)
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    await expect(systemClock.sleep(3_600_000, AbortSignal.abort())).rejects.toThrow(/abort/i)
  })
})
