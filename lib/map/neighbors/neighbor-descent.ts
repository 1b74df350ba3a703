import { PANEL } from "../kernels/dot-products.ts"
import { openPairTile, RECORD, RECORD_ROWS, roundToInt16 } from "../kernels/pair-products.ts"
import { multiplyTransposed, sampleRows } from "../matrix.ts"
import { findDirections } from "./pair-filter.ts"
import { allocateShared, type Candidates, capNeighbors, type Rows } from "./pair-search.ts"
import { type Partition, partitionRows } from "./random-partition.ts"
import { SortedTopLists } from "./top-lists.ts"

/** Partitions that the first candidates come from. Similar rows share a group in most of them. */
const PARTITIONS = 8
/** The maximum number of rows of a group. */
const MAX_GROUP_ROWS = 256
/** Directions that partitions are computed on, and rows that the directions are computed from. */
const MAX_DIRECTIONS = 64
const SAMPLE_ROWS = 1024
/** Candidates beyond the wanted neighbors. More of them make it likelier that a neighbor is a candidate of a candidate. */
const EXTRA_CANDIDATES = 16
/** The maximum number of rows listed that a row is a candidate of. */
const MAX_REVERSE = 96
/** Rows whose neighbors a thread compares before it takes the next ones. */
const BLOCK_ROWS = 512

/** How many rows are compared with each other for each row: its candidates, and rows that it is a candidate of. */
export type Breadth = { readonly joined: number; readonly joinedReverse: number }

/**
 * A search for approximate neighbors by descent (Dong, Moses and Li, "Efficient k-nearest neighbor graph construction
 * for generic similarity measures", 2011): neighbors of a row are likely to be neighbors of each other. Its memory is
 * shared by the threads that take part. The candidates are the best of all compared pairs, and which pairs are compared
 * does not depend on the threads, so the result does not either.
 */
export type NeighborDescent = {
  readonly width: number
  /** The rows as int16 (`roundToInt16`). */
  readonly matrix: Int32Array
  /** The rows by a few directions, n × directions. */
  readonly projections: Float32Array
  /** The order in which rows are processed, so that the neighbors of successive rows are in the cache. */
  readonly order: Int32Array
  /** The candidates of each row, n × width, most similar first. Similarities are int16 products. */
  readonly candidates: Candidates
  /** 1 for candidates that were not compared with the other candidates of their row yet. */
  readonly isNew: Uint8Array
  /** For each row, the rows r that it is a candidate of, as 2r + isNew, n × MAX_REVERSE, most similar first; −1 where there are fewer. */
  readonly reverse: Int32Array
  /** The candidates that each thread found in the current round, sorted like `candidates`. */
  readonly found: readonly Candidates[]
  /** The number of partitions and the number of blocks that threads have taken in the current round. */
  readonly taken: Int32Array
}

export const createNeighborDescent = ({ vectors, n, dims }: Rows, threads: number, k: number): NeighborDescent => {
  const width = capNeighbors(k + EXTRA_CANDIDATES, n)
  const allocateCandidates = (): Candidates => ({
    indices: new Int32Array(allocateShared(n * width)).fill(-1),
    similarities: new Float32Array(allocateShared(n * width)).fill(Number.NEGATIVE_INFINITY),
  })
  const sample = sampleRows(vectors, n, dims, SAMPLE_ROWS)
  const directionCount = Math.min(MAX_DIRECTIONS, dims >> 1, sample.length / dims)
  const directions = findDirections(sample, dims, directionCount)
  const projections = new Float32Array(allocateShared(n * directionCount))
  projections.set(multiplyTransposed(vectors.subarray(0, n * dims), directions, dims))
  const order = new Int32Array(allocateShared(n))
  order.set(partitionRows(projections, directionCount, MAX_GROUP_ROWS, 0).order)
  return {
    width,
    matrix: roundToInt16(vectors, n, dims),
    projections,
    order,
    candidates: allocateCandidates(),
    isNew: new Uint8Array(new SharedArrayBuffer(n * width)),
    reverse: new Int32Array(allocateShared(n * MAX_REVERSE)),
    found: Array.from({ length: threads }, allocateCandidates),
    taken: new Int32Array(allocateShared(2)),
  }
}

type RowCount = Pick<Rows, "n" | "dims">

/** Runs one thread's share of the first round: compares all rows that share a group of a partition. */
export const compareGroups = ({ n, dims }: RowCount, descent: NeighborDescent, thread = 0): void => {
  const compare = openComparison({ n, dims }, descent, thread)
  const directionCount = descent.projections.length / n
  for (let p = Atomics.add(descent.taken, 0, 1); p < PARTITIONS; p = Atomics.add(descent.taken, 0, 1)) {
    const { order, starts }: Partition = partitionRows(descent.projections, directionCount, MAX_GROUP_ROWS, p)
    for (let g = 0; g + 1 < starts.length; g++) {
      compare.rows.set(order.subarray(starts[g], starts[g + 1]))
      compare.run(starts[g + 1]! - starts[g]!, starts[g + 1]! - starts[g]!)
    }
  }
}

/**
 * Runs one thread's share of a further round: compares the candidates of each row, and the rows that it is a candidate
 * of, with each other, except for pairs that were compared in an earlier round.
 */
export const compareCandidates = (
  { n, dims }: RowCount,
  descent: NeighborDescent,
  { joined, joinedReverse }: Breadth,
  thread = 0,
): void => {
  const compare = openComparison({ n, dims }, descent, thread)
  const { width, order, candidates, isNew, reverse } = descent
  const lastSeen = new Int32Array(n).fill(-1)
  const blocks = Math.ceil(n / BLOCK_ROWS)
  for (let b = Atomics.add(descent.taken, 1, 1); b < blocks; b = Atomics.add(descent.taken, 1, 1))
    for (let at = b * BLOCK_ROWS; at < Math.min(n, (b + 1) * BLOCK_ROWS); at++) {
      const row = order[at]!
      let count = 0
      const add = (other: number) => {
        if (other < 0 || lastSeen[other] === row) return
        lastSeen[other] = row
        compare.rows[count++] = other
      }
      const addAll = (wanted: number) => {
        for (let e = row * width; e < row * width + Math.min(joined, width); e++)
          if (isNew[e] === wanted) add(candidates.indices[e]!)
        for (let e = row * MAX_REVERSE; e < row * MAX_REVERSE + joinedReverse; e++)
          if (reverse[e]! >= 0 && (reverse[e]! & 1) === wanted) add(reverse[e]! >> 1)
      }
      addAll(1)
      const newCount = count
      addAll(0)
      if (newCount > 0) compare.run(newCount, count)
    }
}

/** Opens a comparison of up to MAX_GROUP_ROWS rows with each other, which adds pairs to the lists of a thread. */
const openComparison = (
  { n, dims }: RowCount,
  { width, matrix, candidates, found }: NeighborDescent,
  thread: number,
) => {
  const own = found[thread]!
  own.indices.set(candidates.indices)
  own.similarities.set(candidates.similarities)
  const lists = new SortedTopLists(n, width, own)
  const tile = openPairTile(MAX_GROUP_ROWS, dims)
  const rows = new Int32Array(MAX_GROUP_ROWS)
  /** Compares the first `queries` of `rows` with the first `count`. */
  const run = (queries: number, count: number): void => {
    for (let s = 0; s < count; s++) {
      tile.setRow(s, matrix, rows[s]!)
      tile.thresholds[s] = lists.thresholds[rows[s]!]!
    }
    tile.thresholds.fill(Number.POSITIVE_INFINITY, count, Math.ceil(count / RECORD_ROWS) * RECORD_ROWS)
    for (let first = 0; first < queries; first += PANEL)
      addPairs(tile.run(first / PANEL, first - (first % RECORD_ROWS), count), first, count)
  }
  const addPairs = (records: number, first: number, count: number): void => {
    const { records: products, recordWords } = tile
    for (let at = 0; at < records * RECORD; at += RECORD)
      for (let j = recordWords[at]!, end = Math.min(j + RECORD_ROWS, count), r = 0; j < end; j++, r++)
        for (let i = first, e = at + 4 + 16 * (r >> 2) + (r & 3); i < Math.min(first + PANEL, j); i++, e += 4) {
          const [a, b, similarity] = [rows[i]!, rows[j]!, products[e]!]
          if (similarity >= lists.thresholds[a]!) lists.addOnce(a, b, similarity)
          if (similarity >= lists.thresholds[b]!) lists.addOnce(b, a, similarity)
        }
  }
  return { rows, run }
}

/**
 * Ends a round: merges what the threads found.
 *
 * @param compared candidates of each row that were compared with each other in this round
 */
export const mergeFound = (n: number, descent: NeighborDescent, compared: number): void => {
  const { width, candidates, isNew, found, taken } = descent
  taken.fill(0)
  const merged = new SortedTopLists(1, width)
  const wasNew = new Uint8Array(width)
  for (let row = 0; row < n; row++) {
    const from = row * width
    merged.clear()
    for (const { indices, similarities } of found)
      for (let e = from; e < from + width && similarities[e]! >= merged.thresholds[0]!; e++)
        if (indices[e]! >= 0) merged.addOnce(0, indices[e]!, similarities[e]!)
    // The lists only gain candidates, so those that remain are in the same order as before.
    for (let e = 0, before = from; e < width; e++) {
      while (before < from + width && candidates.similarities[before]! > merged.similarities[e]!) before++
      let same = before
      while (same < from + width && candidates.similarities[same] === merged.similarities[e]) {
        if (candidates.indices[same] === merged.indices[e]) break
        same++
      }
      const isKept = same < from + width && candidates.indices[same] === merged.indices[e]
      wasNew[e] = !isKept || (isNew[same] === 1 && same - from >= compared) ? 1 : 0
    }
    candidates.indices.set(merged.indices, from)
    candidates.similarities.set(merged.similarities, from)
    isNew.set(wasNew, from)
  }
  listReverse(n, descent)
}

/** Makes the next round compare all candidates again, with a larger breadth. */
export const markAllNew = (n: number, descent: NeighborDescent): void => {
  descent.isNew.fill(1)
  listReverse(n, descent)
}

const listReverse = (n: number, { width, candidates, isNew, reverse }: NeighborDescent): void => {
  const lists = new SortedTopLists(n, MAX_REVERSE)
  for (let row = 0; row < n; row++)
    for (let e = row * width; e < (row + 1) * width; e++) {
      const other = candidates.indices[e]!
      if (other >= 0 && candidates.similarities[e]! >= lists.thresholds[other]!)
        lists.add(other, 2 * row + isNew[e]!, candidates.similarities[e]!)
    }
  reverse.set(lists.indices)
}
