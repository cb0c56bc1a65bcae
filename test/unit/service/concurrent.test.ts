import { describe, expect, test } from 'vitest'
import { mapConcurrent } from '../../../src/service/read-workspace.ts'

/** Lets every promise that is ready go on. */
async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** Tasks that end when the test resolves them. */
class Tasks {
  readonly started: number[] = []
  readonly #ends = new Map<number, (error?: Error) => void>()

  readonly run = (item: number): Promise<string> => {
    this.started.push(item)
    return new Promise((resolve, reject) => {
      this.#ends.set(item, (error) => (error ? reject(error) : resolve(`result ${item}`)))
    })
  }

  async end(item: number, error?: Error): Promise<void> {
    this.#ends.get(item)?.(error)
    await turn()
  }
}

describe('concurrent work', () => {
  test('starts the next task when one has ended', async () => {
    const tasks = new Tasks()
    const all = mapConcurrent([1, 2, 3, 4], 2, tasks.run)
    expect(tasks.started).toEqual([1, 2])
    await tasks.end(2)
    expect(tasks.started).toEqual([1, 2, 3])
    await tasks.end(1)
    expect(tasks.started).toEqual([1, 2, 3, 4])
    await Promise.all([tasks.end(3), tasks.end(4)])
    await expect(all).resolves.toHaveLength(4)
  })

  test('returns the results in the order of the items', async () => {
    const tasks = new Tasks()
    const all = mapConcurrent([1, 2, 3], 3, tasks.run)
    await tasks.end(3)
    await tasks.end(1)
    await tasks.end(2)
    await expect(all).resolves.toEqual(['result 1', 'result 2', 'result 3'])
  })

  test('rejects with the first rejection and starts nothing more', async () => {
    const tasks = new Tasks()
    const failure = new Error('first')
    const all = mapConcurrent([1, 2, 3, 4, 5], 2, tasks.run)
    const caught = all.catch((error: unknown) => error)
    await tasks.end(1, failure)
    await tasks.end(2)
    expect(await caught).toBe(failure)
    expect(tasks.started).toEqual([1, 2])
  })

  test('ignores later rejections', async () => {
    const tasks = new Tasks()
    const caught = mapConcurrent([1, 2], 2, tasks.run).catch((error: unknown) => error)
    await tasks.end(2, new Error('first'))
    await tasks.end(1, new Error('second'))
    expect(await caught).toEqual(new Error('first'))
  })

  test.each([
    { items: [], limit: 4 },
    { items: [1], limit: 100 },
  ])('starts no more than there is: $items with limit $limit', async ({ items, limit }) => {
    await expect(mapConcurrent(items, limit, async (item) => item)).resolves.toEqual(items)
  })
})
