import type { Range, RankedSearch } from "../neighbors/nearest-neighbors.ts"
import type { PairSearch } from "../neighbors/pair-search.ts"
import type {
  ComposeRequest,
  Composition,
  EmbeddedTerms,
  EmbedTermsRequest,
  MergeTree,
  NeighborGraph,
  PointSet,
  RefitRequest,
} from "../types.ts"

/** A message to the compute thread, or from it to its second thread. */
export type Operation =
  | { readonly op: "compose"; readonly request: ComposeRequest }
  | { readonly op: "refit"; readonly request: RefitRequest }
  | { readonly op: "terms"; readonly request: EmbedTermsRequest }
  | { readonly op: "search"; readonly request: { readonly points: PointSet; readonly search: PairSearch } }
  | {
      readonly op: "neighbors"
      readonly request: {
        readonly points: PointSet
        readonly search: RankedSearch
        readonly range: Range
        readonly graph: NeighborGraph
      }
    }
  | { readonly op: "merges"; readonly request: { readonly points: PointSet; readonly graph: NeighborGraph } }
export type Task = { readonly id: number } & Operation
export type Result = Composition | EmbeddedTerms | Float32Array | MergeTree | null
export type Answer = { readonly id: number; readonly result: Result } | { readonly id: number; readonly error: string }
