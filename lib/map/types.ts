/**
 * Vectors by row, and which row each point shows. Points of equal text share a row, so nothing is computed twice and
 * no neighbourhood is filled with copies.
 */
export type PointSet = {
  /** rows × dims, row-major, each row of unit length. On shared memory a worker thread reads it without a copy. */
  readonly vectors: Float32Array
  readonly rows: number
  readonly dims: number
  /** points entries: the row of each point. Every row is shown by at least one point. */
  readonly rowOf: Int32Array
}

/** The k nearest rows of each row by cosine, itself left out, nearest first, ties by row: both arrays rows × k. */
export type NeighbourGraph = {
  readonly k: number
  readonly indices: Int32Array
  readonly similarities: Float32Array
}

/** Undirected links between points, each once, a < b, ordered by a and then b. */
export type EdgeList = { readonly a: Int32Array; readonly b: Int32Array; readonly similarity: Float32Array }

/**
 * An agglomerative clustering of all points: points − 1 merges, not falling in distance but for rounding. Each joins
 * the clusters that hold points `left[i]` and `right[i]`; cutting at a threshold keeps the merges below it.
 */
export type MergeTree = { readonly left: Int32Array; readonly right: Int32Array; readonly distance: Float64Array }

/** Places of rows (rows × 3) of which only those with `known` = 1 are given. */
export type KnownPlaces = { readonly coords: Float32Array; readonly known: Uint8Array }

export type ComposeRequest = {
  readonly points: PointSet
  /** Where rows lie already: the others are placed among them. Null: a layout is made. */
  readonly places: KnownPlaces | null
  readonly seed: number
}

/** How long the steps took; two of them may run side by side. */
export type Timings = {
  readonly knn: number
  readonly layout: number
  readonly clusters: number
  readonly edges: number
}

/** All that the map needs but the texts. `coords` is rows × 3, unitless. `timings` in milliseconds. */
export type Composition = {
  readonly timings: Timings
  readonly graph: NeighbourGraph
  readonly edges: EdgeList
  readonly merges: MergeTree
  readonly coords: Float32Array
}

export type RefitRequest = {
  readonly points: PointSet
  readonly graph: NeighbourGraph
  /** The layout that people have seen: the new one is turned, mirrored and scaled to fit it best. */
  readonly places: KnownPlaces
  readonly seed: number
}

/**
 * The computations of the map, away from the event loop. Equal keys are one computation, however many ask. Throws
 * AppError `unavailable` when the computation was cut short, and the signal's reason when it was aborted.
 */
export interface VizCompute {
  compose(key: string, request: ComposeRequest): Promise<Composition>
  /** A new layout of all rows, rows × 3. */
  refit(key: string, request: RefitRequest, signal: AbortSignal): Promise<Float32Array>
  close(): Promise<void>
}
