import { setMaxListeners } from "node:events"
import pMap, { pMapIterable } from "p-map"

/**
 * Calls `work` for each item, at most `limit` at a time, and returns the results in the order of the items. The first failure
 * aborts the other calls. It is thrown after all of them have ended, so that no call outlives its stage.
 * @throws the reason of `signal` if that was aborted
 */
export const mapConcurrently = async <T, R>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal, index: number) => Promise<R>,
): Promise<R[]> => {
  const failure = new AbortController()
  const inner = AbortSignal.any([signal, failure.signal])
  // Each call in flight adds a listener. Node warns about a leak at more than ten.
  setMaxListeners(0, inner)
  const results = new Array<R>(items.length)
  const perform = async (item: T, index: number): Promise<void> => {
    try {
      inner.throwIfAborted()
      results[index] = await work(item, inner, index)
    } catch (error) {
      failure.abort(error)
    }
  }
  await pMap(items, perform, { concurrency: limit })
  signal.throwIfAborted()
  failure.signal.throwIfAborted()
  return results
}

type Deferred = { readonly promise: Promise<void>; readonly resolve: () => void }

const createDeferred = (): Deferred => {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/**
 * Calls `work` for the items of a stream, at most `limit` at a time, and yields the results in the order of the items. Items
 * are read only as fast as results are consumed. When it fails or its consumer stops, it closes the stream and waits for the
 * calls in flight.
 * @param work also gets a promise that resolves when the results of all earlier items have been consumed. Work that needs
 *   much memory can wait for it.
 * @param onFailure called as soon as a call fails, so that it can abort the others
 * @throws the error of the stream or of a call, after the results of the earlier items
 */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  limit: number,
  work: (item: T, turn: Promise<void>) => Promise<R>,
  onFailure: (error: unknown) => void = () => {},
): AsyncGenerator<R> {
  const source = items[Symbol.asyncIterator]()
  const running = new Set<Promise<unknown>>()
  const turns = new Map<number, Deferred>()
  const turnAt = (index: number): Deferred => {
    const turn = turns.get(index) ?? createDeferred()
    turns.set(index, turn)
    return turn
  }
  const perform = async (item: T, index: number) => {
    const call = work(item, turnAt(index).promise)
    const ended = call.catch(onFailure).finally(() => running.delete(ended))
    running.add(ended)
    return { output: await call }
  }
  const stream = { [Symbol.asyncIterator]: () => source }
  const results = pMapIterable(stream, perform, { concurrency: limit, backpressure: limit })[Symbol.asyncIterator]()
  try {
    for (let index = 0; ; index++) {
      turnAt(index).resolve()
      const result = await results.next()
      turns.delete(index)
      if (result.done) return
      yield result.value.output
    }
  } catch (error) {
    onFailure(error)
    throw error
  } finally {
    for (const turn of turns.values()) turn.resolve()
    await results.return?.()
    // p-map closes the stream without waiting for it.
    await source.return?.()
    await Promise.all(running)
  }
}
