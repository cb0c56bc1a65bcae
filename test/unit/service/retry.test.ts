import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isPromptsError } from '../../../src/errors/prompts-error.ts'
import {
  AttemptFailure,
  type Budget,
  clock,
  type FailedAttempt,
  formatWait,
  parseRetryAfter,
  requestedRetry,
  type Retry,
  withRetries,
} from '../../../src/service/retry.ts'

/** The milliseconds that an attempt takes, and how it fails, if it does. */
type Attempt = readonly [takes: number, retry?: Retry]

/** Plays attempts on a clock of its own: what the error counts, if any, the time limits, and the waits. */
async function play(
  attempts: readonly Attempt[],
  { timeout = 30_000, random = 0.5, isRepeatable = true } = {},
) {
  let now = 1_000_000
  const [budgets, waits]: [Budget[], number[]] = [[], []]
  const spies = [
    vi.spyOn(clock, 'elapsed').mockImplementation(() => now),
    vi.spyOn(clock, 'random').mockReturnValue(random),
    vi.spyOn(clock, 'sleep').mockImplementation(async (milliseconds) => void (now += milliseconds)),
  ]
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  const attempt = async (budget: Budget): Promise<undefined> => {
    const [takes, retry] = attempts[budgets.push(budget) - 1] ?? [0]
    now += takes
    if (retry === undefined) return
    const details = { url: '', reason: '', workspace: 'prompts', attempts: 1 }
    throw new AttemptFailure('SERVICE_UNREACHABLE', details, { retry })
  }
  const { signal } = new AbortController()
  const context = { timeout, mask: String, signal }
  const onRetry = ({ wait }: FailedAttempt): void => void waits.push(wait)
  const counted = await withRetries(context, attempt, isRepeatable ? onRetry : undefined).catch(
    (error: unknown) => {
      if (isPromptsError(error, 'SERVICE_UNREACHABLE')) return error.details.attempts
      throw error
    },
  )
  return { counted, budgets, waits }
}

const again: Attempt = [0, 'backoff']

describe('withRetries', () => {
  test.each([
    [0, [0, 0]],
    [0.5, [250, 500]],
    [0.999, [499.5, 999]],
  ])('with the chance %d the waits are %j: full jitter, doubled', async (random, want) => {
    expect((await play([again, again, again], { random })).waits).toEqual(want)
  })

  test('headers get a third of the deadline, and at most what is left of it', async () => {
    const slow: Attempt = [10_000, 'backoff']
    const { budgets, counted } = await play([slow, slow, slow])
    expect(budgets).toEqual([
      { headers: 10_000, total: 30_000 },
      { headers: 10_000, total: 19_750 },
      { headers: 9250, total: 9250 },
    ])
    expect(counted).toBe(3)
  })

  test('headers get all the time that is left where no attempt follows', async () => {
    const alone = await play([[0, 'backoff']], { isRepeatable: false })
    expect(alone.budgets).toEqual([{ headers: 30_000, total: 30_000 }])
    const { budgets } = await play([again, again, again])
    expect(budgets.at(-1)).toEqual({ headers: 29_250, total: 29_250 })
  })

  test.each([
    [900, []],
    [750, []],
    [749, [250]],
  ])(
    'after an attempt of %i of 1,000 ms, the waits are %j: none ends late',
    async (takes, want) => {
      const { waits } = await play([[takes, 'backoff']], { timeout: 1000 })
      expect(waits).toEqual(want)
    },
  )

  test('a requested delay is exact and extends the time limit', async () => {
    const asked: Attempt = [100, { after: 60_000 }]
    const { budgets, waits } = await play([asked, asked, [0]], { timeout: 1000 })
    expect(waits).toEqual([60_000, 60_000])
    expect(budgets.map(({ total }) => total)).toEqual([1000, 900, 800])
  })

  test('after the deadline nothing is waited for', async () => {
    const late: Attempt = [1000, { after: 0 }]
    expect((await play([late, late], { timeout: 1000 })).counted).toBe(1)
  })
})

describe('what withRetries throws', () => {
  const failing = (more: object, options: object) => () => {
    const details = { url: 'key', reason: '', workspace: 'prompts', ...more } as never
    const given = { retry: { after: 0 }, ...options }
    return Promise.reject(new AttemptFailure('SERVICE_UNREACHABLE', details, given))
  }
  const context = (signal: AbortSignal) => {
    return { timeout: 1000, mask: (text: string) => text.replaceAll('key', '*'), signal }
  }
  const { signal } = new AbortController()
  const thrown = (reads: Promise<unknown>) => reads.catch((error: unknown) => error)

  test('a failure has the number of its attempts and its cause, and never the key', async () => {
    const retried: unknown[] = []
    const attempt = failing({ attempts: 9 }, { cause: new Error('key') })
    const error = { details: { url: '*', attempts: 3 }, cause: { message: '*' } }
    const onRetry = (failed: object) => retried.push(failed)
    expect(await thrown(withRetries(context(signal), attempt, onRetry))).toMatchObject(error)
    const once = { ...error, details: { url: '*', attempts: 1 } }
    const rest = { attempts: 3, wait: 0, error: once }
    expect(retried).toMatchObject([1, 2].map((count) => ({ attempt: count, ...rest })))
    expect(await thrown(withRetries(context(signal), attempt, undefined))).toMatchObject(once)
  })

  test('a failure that is not counted stays so, and another error is thrown as it is', async () => {
    const attempt = failing({}, { retry: undefined })
    const error = await thrown(withRetries(context(signal), attempt, vi.fn()))
    for (const name of ['details.attempts', 'cause']) expect(error).not.toHaveProperty(name)
    const reads = withRetries(context(signal), () => Promise.reject(context), vi.fn())
    await expect(reads).rejects.toBe(context)
  })

  test.each(['before', 'within', 'after'])('an abort %s an attempt is thrown', async (at) => {
    const controller = new AbortController()
    const abort = (when: string) => when === at && controller.abort('stop')
    const attempt = vi.fn<() => Promise<void>>(async () => {
      if (at === 'after') await failing({}, {})()
      abort('within')
    })
    abort('before')
    const reads = withRetries(context(controller.signal), attempt, () => abort('after'))
    await expect(reads).rejects.toBe('stop')
    expect(attempt).toHaveBeenCalledTimes(at === 'before' ? 0 : 1)
  })
})

test('the clock of this machine goes on, and its chance is a part of one', async () => {
  const before = clock.elapsed()
  await clock.sleep(2, new AbortController().signal)
  expect(clock.elapsed()).toBeGreaterThan(before)
  expect(Math.floor(clock.random())).toBe(0)
})

test('a timer of the clock of this machine acts, unless it is closed', async () => {
  const acts: string[] = []
  clock.timer(0, () => acts.push('closed')).close()
  await new Promise<void>((resolve) => {
    clock.timer(0, () => resolve(void acts.push('open')))
  })
  expect(acts).toEqual(['open'])
})

test('an abort ends a wait of the clock of this machine, before it or within it', async () => {
  const controller = new AbortController()
  const waiting = clock.sleep(3_600_000, controller.signal)
  controller.abort()
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  await expect(clock.sleep(3_600_000, AbortSignal.abort())).rejects.toThrow(/abort/i)
})

const NOW = Date.UTC(2026, 0, 2, 3, 4, 0)

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7000],
  ['1.5', 1500],
  ['1.25', 1250],
  ['-1', 0],
  ['-99999999999999999999', 0],
  ['9'.repeat(400), Number.POSITIVE_INFINITY],
  ['Fri, 02 Jan 2026 03:04:30 GMT', 30_000],
  ['Friday, 02-Jan-26 03:04:30 GMT', 30_000],
  ['Fri Jan  2 03:04:30 2026', 30_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['Fri, 99 Jan 2026 03:04:30 GMT', undefined],
  ['next Fri, 02 Jan 2026 03:04:30 GMT', undefined],
  ['next Friday, 02-Jan-26 03:04:30 GMT', undefined],
  ['next Fri Jan  2 03:04:30 2026', undefined],
  ['Fri, 02 Jan 2026 03:04:30 GMT+01', undefined],
  ['Friday, 02-Jan-26 03:04:30 GMT+01', undefined],
  ['Fri Jan  2 03:04:30 20261', undefined],
  ['Fri Jan -2 03:04:30 2026', undefined],
  ['', undefined],
  ['soon', undefined],
  ['in 5 minutes', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
  ['2026-01-02T03:04:30Z', undefined],
  ['1, 2', undefined],
  [undefined, undefined],
])('Retry-After %j is %s ms', (header, want) => {
  expect(parseRetryAfter(header, NOW)).toBe(want)
})

test.each([
  [undefined, 'backoff'],
  [0, 'backoff'],
  [60_000, { after: 60_000 }],
  [60_001, undefined],
])('after a requested delay of %s ms the retry is %j', (delay, want) => {
  expect(requestedRetry(delay)).toEqual(want)
})

test('a date means the same in every time zone', () => {
  vi.stubEnv('TZ', 'Asia/Kathmandu')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(parseRetryAfter('Fri Jan  2 03:04:30 2026', NOW)).toBe(30_000)
  expect(parseRetryAfter('Fri, 02 Jan 2026 03:04:30 GMT', NOW)).toBe(30_000)
})

test.each([
  [undefined, ''],
  [0, ''],
  [1, '1 s'],
  [61_000, '61 s'],
  [86_400_000, '86400 s'],
  [86_400_001, 'more than a day'],
  [Number.POSITIVE_INFINITY, 'more than a day'],
])('a wait of %s ms reads %j', (wait, want) => {
  expect(formatWait(wait)).toBe(want)
})
