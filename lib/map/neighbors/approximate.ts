import type { BatchMatches, Index, Matches } from "usearch"
import type { NeighbourGraph } from "../types.ts"
import { BestLists, nearestAmong } from "./knn.ts"
import { NEIGHBOURS } from "./search.ts"
import { openDotRows } from "./simd.ts"

/** What is used of the package. */
export type Usearch = { readonly Index: typeof Index }

/** Null where the package is not installed or has no build for this machine: then the search goes through all pairs. */
export const loadUsearch = async (): Promise<Usearch | null> => {
  try {
    return await import("usearch")
  } catch {
    return null
  }
}

/** Rows at a time through the package: its answers are large numbers, eight bytes each. */
const CHUNK = 8192
/** Rows whose true neighbours are computed to see how many were found. */
const ASKED = 96
const RECALL = 0.99
/** Candidates for each neighbour that is wanted: one byte a number orders them only roughly. */
const WIDER = 1.5
/** Links that a row has, and candidates looked at: what serves most maps, then what serves hard ones. */
const TRIES = [
  { connectivity: 16, expansion_add: 64, expansion_search: 96 },
  { connectivity: 32, expansion_add: 128, expansion_search: 320 },
] as const
type Effort = (typeof TRIES)[number]

type Input = { readonly vectors: Float32Array; readonly n: number; readonly dims: number; readonly width: number }

/**
 * Nearest neighbours by a navigable small-world graph over copies of one byte a number (Malkov and Yashunin 2018, by
 * usearch); the similarities of what it finds are computed in full. Equal input, equal answer: rows enter one after
 * another. Null when a sample tells that fewer than 0.99 of the true neighbours are found, even with a thorough graph.
 */
export const approximateNeighbours = (
  usearch: Usearch,
  vectors: Float32Array,
  n: number,
  dims: number,
  k = NEIGHBOURS,
): NeighbourGraph | null => {
  const input = { vectors, n, dims, width: Math.ceil(k * WIDER) + 1 }
  for (const effort of TRIES) {
    const graph = refined(input, found(usearch, input, effort), k)
    if (recallOf(graph, input) >= RECALL) return graph
  }
  return null
}

/** Candidates of each row, [n × width]; −1 where there are fewer. The row itself is usually among them. */
const found = ({ Index }: Usearch, { vectors, n, dims, width }: Input, effort: Effort): Int32Array => {
  const config = { dimensions: dims, metric: "ip", quantization: "i8", multi: false, ...effort }
  const index = new Index(config as ConstructorParameters<typeof Index>[0])
  const out = new Int32Array(n * width).fill(-1)
  const inChunks = (run: (rows: Float32Array, from: number, count: number) => void) => {
    for (let from = 0; from < n; from += CHUNK) {
      const count = Math.min(CHUNK, n - from)
      run(vectors.subarray(from * dims, (from + count) * dims), from, count)
    }
  }
  // One thread: with more, the order of entry would differ from run to run, and it allows no more for the search then.
  inChunks((rows, from, count) =>
    index.add(
      BigUint64Array.from({ length: count }, (_, i) => BigInt(from + i)),
      rows,
      1,
    ),
  )
  inChunks((rows, from, count) => {
    const answer = index.search(rows, width, 1) as Matches | BatchMatches
    for (let i = 0; i < count; i++) {
      // One row is answered with its matches, several with a batch.
      const { keys } = "get" in answer ? answer.get(i) : answer
      for (let j = 0; j < keys.length; j++) out[(from + i) * width + j] = Number(keys[j])
    }
  })
  return out
}

/** Exact similarities of the candidates; and whoever has found a row is offered to it in return. */
const refined = ({ vectors, n, dims, width }: Input, candidates: Int32Array, k: number): NeighbourGraph => {
  const rows = openDotRows(vectors, n, dims, width)
  const best = new BestLists(n, k)
  const offer = (to: number, j: number, similarity: number) => {
    if (similarity < best.worst[to]! || to === j) return
    for (let e = to * k; e < (to + 1) * k; e++) if (best.indices[e] === j) return
    best.offer(to, j, similarity)
  }
  for (let i = 0; i < n; i++) {
    const list = candidates.subarray(i * width, (i + 1) * width)
    const none = list.indexOf(-1)
    const count = none < 0 ? width : none
    rows.others.set(list)
    const similarities = rows.run(i, count)
    for (let j = 0; j < count; j++) {
      offer(i, list[j]!, similarities[j]!)
      offer(list[j]!, i, similarities[j]!)
    }
  }
  return best.graph()
}

/** The share of true neighbours that were found, by a sample; none when a row lacks neighbours. */
const recallOf = ({ k, indices, similarities }: NeighbourGraph, { vectors, n, dims }: Input): number => {
  if (indices.includes(-1)) return 0
  const queries = Int32Array.from({ length: ASKED }, (_, i) => Math.floor((i * n) / ASKED))
  const among = Int32Array.from({ length: n }, (_, i) => i)
  const truth = nearestAmong({ vectors, dims, queries, among, k })
  let hits = 0
  queries.forEach((row, q) => {
    // What is as near as the farthest true neighbour is one, too.
    const least = truth.similarities[(q + 1) * k - 1]! - 1e-6
    for (let e = row * k; e < (row + 1) * k; e++) if (similarities[e]! >= least) hits++
  })
  return hits / (ASKED * k)
}
