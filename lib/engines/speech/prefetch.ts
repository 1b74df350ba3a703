/**
 * Does `work` on each item of a stream, at most `limit` at a time, and gives the results in the order of the items.
 * Items are taken from the stream only when there is room. At the first failure, of the stream or of any item, `failed`
 * is told at once, so that it can end the others; it is thrown when they have ended.
 */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
  failed: (error: unknown) => void,
): AsyncGenerator<R> {
  const running: Promise<R>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      result.catch(failed)
      running.push(result)
      if (running.length >= limit) yield await running.shift()!
    }
    while (running.length > 0) yield await running.shift()!
  } catch (error) {
    failed(error)
    throw error
  } finally {
    await Promise.allSettled(running)
  }
}
