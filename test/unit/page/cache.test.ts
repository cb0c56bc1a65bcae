import { expect, test, vi } from 'vitest'
import { Cache } from '../../../src/page/server/cache.ts'

test('a value is made again for another stamp, when it is too old, and when it has expired', async () => {
  let now = 0
  let made = 0
  const onNew = vi.fn<() => void>()
  const cache = new Cache<number>(() => now, onNew)
  const get = (stamp: string, maxAge?: number): Promise<number> =>
    cache.get(stamp, async () => ++made, maxAge)
  expect(cache.known('a')).toBeUndefined()
  expect(await get('a')).toBe(1)
  now = 1000
  expect([await get('a'), await get('a', 1001), await get('a', 1000)]).toEqual([1, 1, 2])
  cache.expire()
  expect(cache.known('a')).toBe(2)
  expect([await get('a'), await get('b'), await get('a')]).toEqual([3, 4, 5])
  expect([cache.known('a'), cache.known('b')]).toEqual([5, undefined])
  expect(onNew).toHaveBeenCalledTimes(5)
})

test('a value that is being made is shared, whatever its age, unless it has expired', async () => {
  const cache = new Cache<string>(Date.now)
  const make = vi.fn<() => Promise<string>>(async () => 'made')
  const get = (): Promise<string> => cache.get('', make, 0)
  expect(await Promise.all([get(), get()])).toEqual(['made', 'made'])
  expect(make).toHaveBeenCalledTimes(1)
  const first = get()
  cache.expire()
  await Promise.all([first, get()])
  expect(make).toHaveBeenCalledTimes(3)
})

test('a failure is not kept, and does not remove what was made after it', async () => {
  const cache = new Cache<string>(Date.now)
  let fail: (error: Error) => void = () => undefined
  const failing = cache.get('old', () => new Promise((_, reject) => (fail = reject)))
  await cache.get('new', async () => 'made')
  fail(new Error('broken'))
  await expect(failing).rejects.toThrow('broken')
  expect(cache.known('new')).toBe('made')
})
