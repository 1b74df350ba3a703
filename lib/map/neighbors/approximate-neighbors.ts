import type { BatchMatches, Index, Matches } from "usearch"
import { openDotRows } from "../kernels/dot-products.ts"
import type { NeighborGraph } from "../types.ts"
import { findNearestTargets } from "./nearest-neighbors.ts"
import { DEFAULT_NEIGHBORS } from "./pair-search.ts"
import { SortedTopLists } from "./top-lists.ts"

/** The part of the usearch package that is used. */
export type Usearch = { readonly Index: typeof Index }

/** Imports usearch. Returns null if it is not installed or has no build for this machine. */
export const loadUsearch = async (): Promise<Usearch | null> => {
  try {
    return await import("usearch")
  } catch {
    return null
  }
}

/** Rows per call of the package, which limits the memory of its keys of eight bytes each. */
const ROWS_PER_CALL = 8192
/** Rows whose exact neighbors are computed to estimate the recall. */
const RECALL_SAMPLE_ROWS = 96
const MIN_RECALL = 0.99
/** Candidates per wanted neighbor. Similarities of one byte per number order candidates only roughly. */
const CANDIDATES_PER_NEIGHBOR = 1.5
/** Settings of the index: links per row and candidates examined. The second serves data that the first does not. */
const INDEX_SETTINGS = [
  { connectivity: 16, expansion_add: 64, expansion_search: 96 },
  { connectivity: 32, expansion_add: 128, expansion_search: 320 },
] as const
type IndexSettings = (typeof INDEX_SETTINGS)[number]

type Input = { readonly vectors: Float32Array; readonly n: number; readonly dims: number; readonly width: number }

/**
 * Finds nearest neighbors with an HNSW index (Malkov and Yashunin 2018) over copies of one byte per number, in about
 * O(n · log n). The similarities of the candidates are then computed in float32. Deterministic: rows are added in order.
 *
 * Returns null if an estimate of the recall stays below 0.99 with the strongest settings.
 *
 * @param vectors n × dims, rows of unit length
 */
export const findApproximateNeighbors = (
  usearch: Usearch,
  vectors: Float32Array,
  n: number,
  dims: number,
  k = DEFAULT_NEIGHBORS,
): NeighborGraph | null => {
  const input = { vectors, n, dims, width: Math.ceil(k * CANDIDATES_PER_NEIGHBOR) + 1 }
  for (const settings of INDEX_SETTINGS) {
    const graph = rankIndexCandidates(input, queryIndex(usearch, input, settings), k)
    if (estimateRecall(graph, input) >= MIN_RECALL) return graph
  }
  return null
}

/** Returns the candidates of each row, n × width, with −1 where a row has fewer. They usually include the row itself. */
const queryIndex = ({ Index }: Usearch, { vectors, n, dims, width }: Input, settings: IndexSettings): Int32Array => {
  const config = { dimensions: dims, metric: "ip", quantization: "i8", multi: false, ...settings }
  const index = new Index(config as ConstructorParameters<typeof Index>[0])
  const out = new Int32Array(n * width).fill(-1)
  const forEachBatch = (run: (rows: Float32Array, from: number, count: number) => void) => {
    for (let from = 0; from < n; from += ROWS_PER_CALL) {
      const count = Math.min(ROWS_PER_CALL, n - from)
      run(vectors.subarray(from * dims, (from + count) * dims), from, count)
    }
  }
  // With more than one thread, the order of insertion and so the result would vary. The thread count given here also
  // limits the search.
  forEachBatch((rows, from, count) =>
    index.add(
      BigUint64Array.from({ length: count }, (_, i) => BigInt(from + i)),
      rows,
      1,
    ),
  )
  forEachBatch((rows, from, count) => {
    const answer = index.search(rows, width, 1) as Matches | BatchMatches
    for (let i = 0; i < count; i++) {
      // usearch returns Matches for a single row and BatchMatches for several.
      const { keys } = "get" in answer ? answer.get(i) : answer
      for (let j = 0; j < keys.length; j++) out[(from + i) * width + j] = Number(keys[j])
    }
  })
  return out
}

/** Keeps the k nearest candidates by float32 similarity. Every found pair is considered for both of its rows. */
const rankIndexCandidates = ({ vectors, n, dims, width }: Input, candidates: Int32Array, k: number): NeighborGraph => {
  const rows = openDotRows(vectors, n, dims, width)
  const nearest = new SortedTopLists(n, k)
  const addOnce = (row: number, index: number, similarity: number) => {
    if (similarity < nearest.thresholds[row]! || row === index) return
    for (let e = row * k; e < (row + 1) * k; e++) if (nearest.indices[e] === index) return
    nearest.add(row, index, similarity)
  }
  for (let i = 0; i < n; i++) {
    const list = candidates.subarray(i * width, (i + 1) * width)
    const end = list.indexOf(-1)
    const count = end < 0 ? width : end
    rows.others.set(list)
    const similarities = rows.run(i, count)
    for (let j = 0; j < count; j++) {
      addOnce(i, list[j]!, similarities[j]!)
      addOnce(list[j]!, i, similarities[j]!)
    }
  }
  return nearest.toGraph()
}

/** Estimates the share of true neighbors in a graph from a sample. Returns 0 if a row has fewer than k neighbors. */
const estimateRecall = ({ k, indices, similarities }: NeighborGraph, { vectors, n, dims }: Input): number => {
  if (indices.includes(-1)) return 0
  const queries = Int32Array.from({ length: RECALL_SAMPLE_ROWS }, (_, i) => Math.floor((i * n) / RECALL_SAMPLE_ROWS))
  const targets = Int32Array.from({ length: n }, (_, i) => i)
  const truth = findNearestTargets({ vectors, dims, queries, targets, k })
  let hits = 0
  queries.forEach((row, q) => {
    // Ties with the farthest true neighbor count.
    const minSimilarity = truth.similarities[(q + 1) * k - 1]! - 1e-6
    for (let e = row * k; e < (row + 1) * k; e++) if (similarities[e]! >= minSimilarity) hits++
  })
  return hits / (RECALL_SAMPLE_ROWS * k)
}
