/**
 * Runs `task` for every item, at most `limit` at a time, and returns the results in the order
 * of the items. After the first rejection no further task starts.
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

/** A generator, because it can be closed: a loop that rejects ends it for all loops. */
function* entriesOf<Item>(items: readonly Item[]): Generator<[number, Item]> {
  yield* items.entries()
}
