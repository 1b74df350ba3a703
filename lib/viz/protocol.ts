import type { ComposeRequest, Composition, RefitRequest } from "./types.ts"

/** What goes to the compute thread and what comes back. */
export type Operation =
  | { readonly op: "compose"; readonly request: ComposeRequest }
  | { readonly op: "refit"; readonly request: RefitRequest }
export type Task = { readonly id: number } & Operation
export type Answer =
  | { readonly id: number; readonly result: Composition | Float32Array }
  | { readonly id: number; readonly error: string }
