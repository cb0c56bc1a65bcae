/**
 * Runs `task` for every item, at most `limit` at a time, and gives the results in the items'
 * order. The first rejection stops the start of further tasks and rejects the whole.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await task(item)
  }
  const workers = Array.from({ length: Math.min(limit, items.length) }, work)
  try {
    await Promise.all(workers)
  } catch (error) {
    queue.return?.()
    throw error
  }
  return results
}
