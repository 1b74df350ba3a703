type Under<R> = { readonly result: Promise<R>; readonly go: () => void }

const begin = <R>(work: (turn: Promise<void>) => Promise<R>): Under<R> => {
  let go = () => {}
  const turn = new Promise<void>((resolve) => {
    go = resolve
  })
  const result = work(turn)
  // It may fail before anybody asks for it.
  result.catch(() => {})
  return { result, go }
}

/**
 * Works on up to `limit` items at once and gives the results in the order of the items, so that waiting for one overlaps
 * with work on the next. `work` also gets a promise that resolves when its item is the first in line: what is too heavy
 * to be done ahead waits for it. Ends only when all work has; whoever stops early ends it by a signal of their own.
 * @throws what the items or the work throw, in its turn
 */
export async function* prefetch<T, R>(
  items: AsyncIterable<T>,
  limit: number,
  work: (item: T, turn: Promise<void>) => Promise<R>,
): AsyncGenerator<R> {
  const under: Under<R>[] = []
  const first = (): Promise<R> => {
    const { result, go } = under.shift()!
    go()
    return result
  }
  try {
    for await (const item of items) {
      under.push(begin((turn) => work(item, turn)))
      if (under.length >= limit) yield await first()
    }
    while (under.length > 0) yield await first()
  } finally {
    for (const { go } of under) go()
    await Promise.allSettled(under.map(({ result }) => result))
  }
}
