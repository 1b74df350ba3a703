import type { WordSpan } from "./transcript/words.ts"

/**
 * The first index in [0, length) that is not `before`, `length` when all are; once false, `before` must stay false.
 * Binary search in O(log length), as C++'s std::partition_point.
 */
export const partitionPoint = (length: number, before: (index: number) => boolean): number => {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (before(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Index of the first word that starts at or after a time in seconds; `words.length` when none does. Starts must not fall. */
export const firstWordFrom = (words: readonly WordSpan[], time: number): number =>
  partitionPoint(words.length, (i) => words[i]!.start < time)
