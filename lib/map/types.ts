import type { TermCounts } from "../domain/text/terms.ts"

/**
 * Points and their vectors. Points with equal text share a row of the matrix, so that nothing is computed twice and
 * copies do not fill each other's neighborhoods.
 */
export type PointSet = {
  /** rows × dims, row-major, each row of unit length. Shared memory saves a copy per worker thread. */
  readonly vectors: Float32Array
  readonly rows: number
  readonly dims: number
  /** The row of each point. Every row has at least one point. */
  readonly rowOf: Int32Array
}

/**
 * The k nearest rows of each row by cosine similarity, without the row itself, nearest first, ties by row number. Both
 * arrays are rows × k.
 */
export type NeighborGraph = {
  readonly k: number
  readonly indices: Int32Array
  readonly similarities: Float32Array
}

/** Undirected links between points, each once, with a < b, ordered by a and then by b. */
export type EdgeList = { readonly a: Int32Array; readonly b: Int32Array; readonly similarity: Float32Array }

/**
 * An agglomerative clustering of all points: points − 1 merges in order of distance. Merge i joins the clusters that
 * contain points `left[i]` and `right[i]`. The partition at a threshold consists of the merges below it.
 */
export type MergeTree = { readonly left: Int32Array; readonly right: Int32Array; readonly distance: Float64Array }

/** Coordinates of rows, rows × 3, of which only those of rows with `known` = 1 are valid. */
export type PartialLayout = { readonly coords: Float32Array; readonly known: Uint8Array }

/** What may be linked: points of the same level and different groups. */
export type LinkRules = {
  /** The level of each point in the topic trees. */
  readonly levelOf: Uint8Array
  /** The recording of each point; in a map of one recording, its topic of level 2. */
  readonly groupOf: Int32Array
}

/** Neighbors that were found before rows were added or removed. */
export type KnownNeighbors = {
  readonly graph: NeighborGraph
  /** The current number of each row of the graph; −1 for a removed one. */
  readonly rowOf: Int32Array
}

export type ComposeRequest = {
  readonly points: PointSet
  /** By default, all points may be linked. */
  readonly links?: LinkRules
  /** A layout to project new rows into. Null computes a new layout. */
  readonly previous: PartialLayout | null
  /** The neighbors of rows with the same vectors. By default, all neighbors are searched. */
  readonly known?: KnownNeighbors | null
  readonly seed: number
}

/** Duration of the steps in milliseconds. Layout and clusters may run in parallel. */
export type Timings = {
  readonly knn: number
  readonly layout: number
  readonly clusters: number
  readonly edges: number
}

/** Everything that the map shows except texts. */
export type Composition = {
  readonly timings: Timings
  readonly graph: NeighborGraph
  readonly edges: EdgeList
  readonly merges: MergeTree
  /** rows × 3, without a unit. */
  readonly coords: Float32Array
}

export type RefitRequest = {
  readonly points: PointSet
  readonly graph: NeighborGraph
  /** The layout that users see. The new layout is aligned with it. */
  readonly previous: PartialLayout
  readonly seed: number
}

/**
 * A space in which texts about the same subject are close, although they share few words: latent semantic analysis
 * (Deerwester et al. 1990) of term frequencies, weighted by inverse document frequency (Spärck Jones 1972).
 */
export type TermSpace = {
  readonly dims: number
  /** The hashes of the known terms, in ascending order. All arrays are in shared memory. */
  readonly hashes: Uint32Array
  /** The inverse document frequency of each known term. */
  readonly weights: Float32Array
  /** terms × dims: the coordinates of each known term. */
  readonly coords: Float32Array
}

/** Texts to place in a term space. `space` null builds the space from `documents` first. */
export type EmbedTermsRequest = {
  readonly space: TermSpace | null
  readonly documents: readonly TermCounts[]
  readonly texts: readonly TermCounts[]
}
/** `positions` is texts × dims, not scaled to unit length. */
export type EmbeddedTerms = { readonly space: TermSpace; readonly positions: Float32Array }

/**
 * Computes maps outside the event loop. Concurrent requests with the same key share one computation. Throws AppError
 * `unavailable` if the computation is interrupted, and the signal's reason if it is aborted.
 */
export interface VizCompute {
  compose(key: string, request: ComposeRequest): Promise<Composition>
  /** Computes a new layout of all rows, rows × 3. */
  refit(key: string, request: RefitRequest, signal: AbortSignal): Promise<Float32Array>
  /** Runs beside the other computations, because a map cannot be composed before. */
  embedTerms(key: string, request: EmbedTermsRequest): Promise<EmbeddedTerms>
  close(): Promise<void>
}
