import type { ProviderName } from "../../../domain/jobs/jobs.ts"
import type { AnswerKind, Message } from "./prompts.ts"

/** A request to a language model. */
export type ChatRequest = {
  readonly messages: readonly Message[]
  /** The kind and the JSON schema of the answer. Absent for text. */
  readonly format?: { readonly kind: AnswerKind; readonly schema: object }
  /** Context size in tokens. */
  readonly numCtx: number
  /** Maximum number of tokens of the answer, thinking included. */
  readonly maxTokens: number
  /** Lets a model think that can. */
  readonly reasoning: boolean
}

/**
 * A language model on a server, by the protocol of the server. Safe to call concurrently. Every method throws AppError
 * `unavailable` that says what to do, or the reason of an aborted signal.
 */
export interface ModelTransport {
  readonly provider: ProviderName
  readonly model: string
  /** Throws AppError if the server cannot be reached or does not have the model. */
  check(signal: AbortSignal): Promise<void>
  /** Returns the context size to use, in tokens: the requested one, or less if the server has less. */
  fitContext(numCtx: number, signal: AbortSignal): Promise<number>
  /** Returns the whole answer. */
  chat(request: ChatRequest, signal: AbortSignal): Promise<string>
  /** Streams the text of an answer. */
  streamChat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<string>
  /** Unloads the model, if the server can. Never throws. */
  release(): Promise<void>
}
