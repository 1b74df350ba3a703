import type { SentenceModelFiles } from "./model-settings.ts"

/** What the thread is started with. */
export type ThreadData = { readonly files: SentenceModelFiles; readonly threads: number }

export type EmbedTask = {
  readonly id: number
  readonly texts: readonly string[]
  readonly kind: "document" | "query"
}

/** The answer to a task. `error` is the reason why the model cannot be used. */
export type EmbedAnswer = { readonly id: number } & (
  | { readonly vectors: readonly Float32Array[] }
  | { readonly error: string }
)
