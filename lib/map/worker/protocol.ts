import type { Range } from "../neighbors/knn.ts"
import type { Search } from "../neighbors/search.ts"
import type { ComposeRequest, Composition, MergeTree, NeighbourGraph, PointSet, RefitRequest } from "../types.ts"

/** What goes to the compute thread, and from it to its helper. */
export type Operation =
  | { readonly op: "compose"; readonly request: ComposeRequest }
  | { readonly op: "refit"; readonly request: RefitRequest }
  | { readonly op: "search"; readonly request: { readonly points: PointSet; readonly search: Search } }
  | {
      readonly op: "neighbours"
      readonly request: {
        readonly points: PointSet
        readonly search: Search
        readonly range: Range
        readonly graph: NeighbourGraph
      }
    }
  | { readonly op: "merges"; readonly request: { readonly points: PointSet; readonly graph: NeighbourGraph } }
export type Task = { readonly id: number } & Operation
export type Result = Composition | Float32Array | MergeTree | null
export type Answer = { readonly id: number; readonly result: Result } | { readonly id: number; readonly error: string }
