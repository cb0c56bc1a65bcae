import { expect, test, vi } from 'vitest'
import { Cache } from '../../../src/page/server/cache.ts'

test('a value is made again for another stamp, and when it is too old', async () => {
  let now = 0
  const cache = new Cache<number>(() => now)
  let made = 0
  const get = (stamp: string, maxAge?: number): Promise<number> =>
    cache.get({ stamp, ...(maxAge !== undefined && { maxAge }) }, async () => ++made)
  expect(cache.last()).toBeUndefined()
  expect(await get('a')).toBe(1)
  now = 1000
  expect([await get('a'), await get('a', 1001), await get('a', 1000)]).toEqual([1, 1, 2])
  expect([await get('b'), await get('a'), await cache.last()]).toEqual([3, 4, 4])
})

test('a value that is being made is shared, whatever its age', async () => {
  const cache = new Cache<string>(Date.now)
  const make = vi.fn<() => Promise<string>>(async () => 'made')
  const get = (): Promise<string> => cache.get({ maxAge: 0 }, make)
  expect(await Promise.all([get(), get()])).toEqual(['made', 'made'])
  expect(make).toHaveBeenCalledTimes(1)
  await get()
  expect(make).toHaveBeenCalledTimes(2)
})

test('a failure is not kept, and does not remove what was made after it', async () => {
  const cache = new Cache<string>(Date.now)
  let fail: (error: Error) => void = () => undefined
  const failing = cache.get({ stamp: 'old' }, () => new Promise((_, reject) => (fail = reject)))
  const made = cache.get({ stamp: 'new' }, async () => 'made')
  fail(new Error('broken'))
  await expect(failing).rejects.toThrow('broken')
  expect(cache.last()).toBe(made)
  await expect(cache.get({}, () => Promise.reject(new Error('other')))).rejects.toThrow('other')
  expect(cache.last()).toBeUndefined()
})
