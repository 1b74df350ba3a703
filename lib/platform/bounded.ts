import { setMaxListeners } from "node:events"

/**
 * Maps with at most `limit` calls at once; results in the order of the items. The first failure aborts the calls in
 * flight and is thrown when all of them have ended, so that nothing outlives its stage.
 */
export const mapBounded = async <T, R>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal, at: number) => Promise<R>,
): Promise<R[]> => {
  const results = new Array<R>(items.length)
  const failure = new AbortController()
  const inner = AbortSignal.any([signal, failure.signal])
  // Every call in flight listens; Node takes more than ten for a leak.
  setMaxListeners(0, inner)
  let next = 0
  const lane = async (): Promise<void> => {
    try {
      while (next < items.length) {
        inner.throwIfAborted()
        const at = next++
        results[at] = await work(items[at]!, inner, at)
      }
    } catch (error) {
      failure.abort(error)
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane))
  signal.throwIfAborted()
  failure.signal.throwIfAborted()
  return results
}
