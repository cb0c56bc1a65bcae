import { expect, test } from 'vitest'
import { forEachConcurrent } from '../../../src/service/read-workspace.ts'

/** Tasks that end when the test says so; an error ends one as a failure. */
function controlled() {
  const started: number[] = []
  const ends = new Map<number, (error?: Error) => void>()
  const run = (item: number): Promise<void> => {
    started.push(item)
    return new Promise((resolve, reject) => {
      ends.set(item, (error) => (error ? reject(error) : resolve()))
    })
  }
  const end = async (item: number, error?: Error): Promise<void> => {
    ends.get(item)?.(error)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { started, run, end }
}

test('the next task starts when one has ended, and the work ends with the last one', async () => {
  const { started, run, end } = controlled()
  const all = forEachConcurrent([1, 2, 3, 4], 2, run)
  expect(started).toEqual([1, 2])
  await end(2)
  expect(started).toEqual([1, 2, 3])
  await end(1)
  expect(started).toEqual([1, 2, 3, 4])
  await Promise.all([end(4), end(3)])
  await all
})

test('after a first rejection no task starts, and a later one is ignored', async () => {
  const { started, run, end } = controlled()
  const caught = forEachConcurrent([1, 2, 3], 2, run).catch((error: unknown) => error)
  await end(2, new Error('first'))
  await end(1, new Error('second'))
  expect(await caught).toEqual(new Error('first'))
  expect(started).toEqual([1, 2])
})

test.each([
  [[], 4],
  [[1], 100],
])('no more tasks start than there are: %j with limit %i', async (items, limit) => {
  const done: number[] = []
  await forEachConcurrent(items, limit, async (item) => void done.push(item))
  expect(done).toEqual(items)
})
