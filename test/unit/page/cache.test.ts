import { expect, test, vi } from 'vitest'
import { createCache } from '../../../src/page/server/cache.ts'

test('a value is made again for another stamp, and when it is too old', async () => {
  let now = 0
  const cache = createCache<number>(() => now)
  let made = 0
  const make = async (): Promise<number> => ++made
  const get = (stamp: string, maxAge?: number): Promise<number> =>
    cache.get(maxAge === undefined ? { stamp } : { stamp, maxAge }, make)
  expect(cache.last()).toBeUndefined()
  expect(await get('a')).toBe(1)
  now = 1000
  expect(await get('a')).toBe(1)
  expect(await get('a', 1001)).toBe(1)
  expect(await get('a', 1000)).toBe(2)
  expect(await get('b')).toBe(3)
  expect(await get('a')).toBe(4)
  expect(await cache.last()).toBe(4)
})

test('a value that is being made is shared, whatever its age', async () => {
  const cache = createCache<string>()
  const make = vi.fn<() => Promise<string>>(async () => 'made')
  const use = { stamp: '', maxAge: 0 }
  const both = [cache.get(use, make), cache.get(use, make)]
  expect(await Promise.all(both)).toEqual(['made', 'made'])
  expect(make).toHaveBeenCalledTimes(1)
  await cache.get(use, make)
  expect(make).toHaveBeenCalledTimes(2)
})

test('a failure is not kept, and does not remove what was made after it', async () => {
  const cache = createCache<string>()
  let fail: (error: Error) => void = () => undefined
  const failing = cache.get({ stamp: 'old' }, () => new Promise((_, reject) => (fail = reject)))
  const made = cache.get({ stamp: 'new' }, async () => 'made')
  fail(new Error('broken'))
  await expect(failing).rejects.toThrow('broken')
  expect(cache.last()).toBe(made)
  const broken = cache.get({}, async () => Promise.reject(new Error('broken')))
  await expect(broken).rejects.toThrow('broken')
  expect(cache.last()).toBeUndefined()
})
