import { PANEL } from "../kernels/dot-products.ts"
import {
  MAX_RUN_ROWS,
  openPairProducts,
  type PairProducts,
  RECORD,
  RECORD_ROWS,
  UNIT,
} from "../kernels/pair-products.ts"
import { APPROXIMATE_MIN_ROWS, buildApproximateFilter } from "./approximate-filter.ts"
import { buildExactFilter, type PairFilter } from "./pair-filter.ts"
import { CHUNK_ROWS, openSimilarChunks, type RowRange } from "./similar-chunks.ts"
import { UnsortedTopLists } from "./top-lists.ts"

/** Default number of neighbors. More than layout and edges need, so that the clustering rarely has to search. */
export const DEFAULT_NEIGHBORS = 24
/** Candidates beyond the wanted neighbors, because int16 products can order similar candidates wrongly. */
export const EXTRA_CANDIDATES = 6

/** Candidates of every row, unsorted, n × width; −1 where a row has fewer. Similarities are int16 products. */
export type Candidates = { readonly indices: Int32Array; readonly similarities: Float32Array }

/** A filter is tried from this number of rows on. */
const FILTER_MIN_ROWS = 6000

/** A search among all pairs of rows. Its memory is shared by the threads that take part. */
export type PairSearch = {
  readonly width: number
  /** The candidates that each thread found. */
  readonly found: readonly Candidates[]
  /** Number of blocks of rows that threads have taken, in the first and in the second pass. */
  readonly takenBlocks: Int32Array
  readonly filter: PairFilter | null
  /** With a filter: the product that a pair must reach with each row, exchanged between the threads. */
  readonly thresholds: Float32Array
}

/** A matrix of n × dims with rows of unit length. */
export type Rows = { readonly vectors: Float32Array; readonly n: number; readonly dims: number }

/** Returns k, or the number of other rows if there are fewer. */
export const capNeighbors = (k: number, n: number): number => Math.max(0, Math.min(k, n - 1))

export const allocateShared = (words: number): SharedArrayBuffer => new SharedArrayBuffer(4 * words)

/**
 * Prepares a search.
 *
 * @param threads number of threads that will call `searchPairs`
 * @param filterMinRows number of rows from which on a filter is tried
 * @param approximateMinRows number of rows from which on the filter may miss a few neighbors
 */
export const createPairSearch = (
  { vectors, n, dims }: Rows,
  threads = 1,
  k = DEFAULT_NEIGHBORS,
  filterMinRows = FILTER_MIN_ROWS,
  approximateMinRows = APPROXIMATE_MIN_ROWS,
): PairSearch => {
  const width = capNeighbors(k + EXTRA_CANDIDATES, n)
  const found = Array.from({ length: threads }, () => ({
    indices: new Int32Array(allocateShared(n * width)),
    similarities: new Float32Array(allocateShared(n * width)),
  }))
  const build = n >= approximateMinRows ? buildApproximateFilter : buildExactFilter
  const filter = n >= filterMinRows ? build(vectors, { n, dims, width }) : null
  const thresholds = new Float32Array(allocateShared(filter ? n : 0)).fill(Number.NEGATIVE_INFINITY)
  return { width, found, takenBlocks: new Int32Array(allocateShared(2)), filter, thresholds }
}

/**
 * Runs one thread's share of a search: finds the candidates of all rows by the cosine similarity of all pairs. Each pair
 * is multiplied at most once, as int16, in tiles that stay in the cache. Threads take blocks of rows until none is left.
 * All threads together multiply n² · dims / 2 numbers without a filter. Each thread copies the vectors to int16, at half
 * their size.
 */
export const searchPairs = ({ vectors, n, dims }: Rows, search: PairSearch, thread = 0): void => {
  const { width, found, filter } = search
  if (width === 0) return
  const pairs = openPairProducts(vectors, n, dims, filter?.order)
  const lists = new UnsortedTopLists(n, width, pairs.thresholds)
  const share = { n, pairs, lists, search }
  if (filter) searchFiltered(share, filter)
  else searchUnfiltered(share)
  lists.copyTo(found[thread]!.indices, found[thread]!.similarities, filter?.order)
}

type ThreadShare = {
  readonly n: number
  readonly pairs: PairProducts
  readonly lists: UnsortedTopLists
  readonly search: PairSearch
}

/** Takes blocks of rows, last block first: a block is paired with all rows before it, so the last ones take longest. */
function* takeBlocks({ n, search }: ThreadShare, pass: 0 | 1) {
  const blocks = Math.ceil(n / MAX_RUN_ROWS)
  for (;;) {
    const block = blocks - 1 - Atomics.add(search.takenBlocks, pass, 1)
    if (block < 0) return
    const from = block * MAX_RUN_ROWS
    yield { from, to: Math.min(from + MAX_RUN_ROWS, n) }
  }
}

const searchUnfiltered = (share: ThreadShare): void => {
  for (const { from, to } of takeBlocks(share, 0)) {
    for (let first = 0; first < from; first += PANEL)
      addCandidates(share, share.pairs.run(first / PANEL, from, to), first)
    multiplyWithinBlock(share, from, to)
  }
}

const multiplyWithinBlock = (share: ThreadShare, from: number, to: number): void => {
  for (let first = from; first < to; first += PANEL)
    addCandidates(share, share.pairs.run(first / PANEL, first - (first % RECORD_ROWS), to), first)
}

/**
 * The first pass multiplies each block with itself. A block holds similar rows, so this yields high thresholds. The
 * second pass multiplies each block with the rows before it through the filter, and in full only what passes.
 */
const searchFiltered = (share: ThreadShare, filter: PairFilter): void => {
  const { order, shortRows, dims, scale, tolerance } = filter
  const { n, pairs, lists, search } = share
  for (const { from, to } of takeBlocks(share, 0)) {
    multiplyWithinBlock(share, from, to)
    lists.reduce(from, to)
    search.thresholds.set(pairs.thresholds.subarray(from, to), from)
  }
  const bounds = openPairProducts(shortRows, n, dims, order)
  const updateBounds = (from: number, to: number) => {
    for (let i = from; i < to; i++) bounds.thresholds[i] = scale * (pairs.thresholds[i]! - tolerance * UNIT)
  }
  for (const { from, to } of takeBlocks(share, 1)) {
    for (let i = 0; i < to; i++) pairs.thresholds[i] = Math.max(pairs.thresholds[i]!, search.thresholds[i]!)
    // The closest rows before the block are the most similar to it, so they come first.
    const findRanges = openRanges(filter, { from, to })
    for (let chunk = from / CHUNK_ROWS - 1; chunk >= 0; chunk--) {
      const ranges = findRanges(chunk)
      if (ranges.length === 0) continue
      updateBounds(from, to)
      updateBounds(chunk * CHUNK_ROWS, (chunk + 1) * CHUNK_ROWS)
      for (let first = (chunk + 1) * CHUNK_ROWS - PANEL; first >= chunk * CHUNK_ROWS; first -= PANEL)
        for (const range of ranges) {
          const passed = bounds.run(first / PANEL, range.from, range.to)
          for (let r = 0; r < passed; r++) {
            const row = bounds.recordWords[r * RECORD]!
            addCandidates(share, pairs.run(first / PANEL, row, Math.min(row + RECORD_ROWS, to)), first)
          }
        }
    }
    lists.reduce(from, to)
    for (let i = 0; i < to; i++) search.thresholds[i] = Math.max(pairs.thresholds[i]!, search.thresholds[i]!)
  }
}

/** Returns a function that returns the ranges of a block that are compared with a chunk before it. */
const openRanges = ({ chunks, dims }: PairFilter, block: RowRange): ((chunk: number) => readonly RowRange[]) =>
  chunks ? openSimilarChunks(chunks, dims, block) : () => [block]

/**
 * Adds the pairs i < j of the records to the lists of both rows.
 *
 * @param count number of records
 * @param first number of the panel's first row
 */
const addCandidates = ({ n, pairs, lists, search }: ThreadShare, count: number, first: number): void => {
  const { thresholds, records, recordWords } = pairs
  const order = search.filter?.order
  for (let at = 0; at < count * RECORD; at += RECORD)
    for (let j = recordWords[at]!, end = Math.min(j + RECORD_ROWS, n), row = 0; j < end; j++, row++)
      for (let i = first, e = at + 4 + 16 * (row >> 2) + (row & 3); i < Math.min(first + PANEL, j); i++, e += 4) {
        const similarity = records[e]!
        if (similarity >= thresholds[i]!) lists.add(i, order ? order[j]! : j, similarity)
        if (similarity >= thresholds[j]!) lists.add(j, order ? order[i]! : i, similarity)
      }
}
