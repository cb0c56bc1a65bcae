import { expect, onTestFinished, test, vi } from 'vitest'
import { formatWait, parseRetryAfter } from '../../../src/service/retry.ts'

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
