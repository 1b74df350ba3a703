import type { WordSpan } from "./transcript/words.ts"

/**
 * Returns the first index in [0, length) for which `isBefore` is false, or `length` if there is none. `isBefore` must be
 * true up to some index and false from there on. Binary search, like C++'s std::partition_point.
 */
export const partitionPoint = (length: number, isBefore: (index: number) => boolean): number => {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the index of a value in an ascending list, or −1. */
export const findSortedIndex = (sorted: ArrayLike<number>, value: number): number => {
  const index = partitionPoint(sorted.length, (i) => sorted[i]! < value)
  return sorted[index] === value ? index : -1
}

/**
 * Returns the index of the first word that starts at or after a time in seconds, or `words.length` if there is none. The
 * words must be in order of start time.
 */
export const findFirstWordFrom = (words: readonly WordSpan[], time: number): number =>
  partitionPoint(words.length, (i) => words[i]!.start < time)
