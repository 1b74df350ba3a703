/**
 * Does `work` on each item of a stream, at most `limit` at a time, and gives the results in the order of the items.
 * Items are taken from the stream only when there is room. At a failure what runs is awaited, its results are dropped.
 */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      // Its failure is met when its turn comes; until then it must not count as unhandled.
      result.catch(() => {})
      running.push(result)
      if (running.length >= limit) yield await running.shift()!
    }
    while (running.length > 0) yield await running.shift()!
  } finally {
    await Promise.allSettled(running)
  }
}
