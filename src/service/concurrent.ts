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
  const queue = entriesOf(items)
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await task(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return results
}

/** A generator, since an array's own iterator can't be closed: a loop that rejects ends it for all. */
function* entriesOf<Item>(items: readonly Item[]): Generator<[number, Item]> {
  yield* items.entries()
}
