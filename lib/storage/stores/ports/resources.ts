import type { Claim } from "./stages.ts"

/** A kind of work on a GPU. Work of the same kind runs concurrently; the two kinds take turns. */
export type GpuKind = "whisper" | "llm"

export type GpuRequest = {
  readonly claim: Claim
  readonly gpu: string
  readonly kind: GpuKind
  /** How long the other kind may occupy the GPU before this request blocks new work of that kind. */
  readonly turnMs: number
  /** How long the GPU stays reserved for a kind after its last stage has released it. */
  readonly lingerMs: number
}

/** Coordinates what the workers share: GPUs, and the models that a model server keeps loaded. */
export interface ResourceStore {
  /**
   * Requests the GPU for a stage. Returns false if the caller has to ask again, and for a claim that no longer holds. The
   * reservation lasts until it is released or the lease of the claim expires.
   */
  acquireGpu(request: GpuRequest): Promise<boolean>
  releaseGpu(claim: Claim): Promise<void>
  /** Records that a job uses a language model. */
  holdModel(use: { jobId: string; model: string }): Promise<void>
  /** Returns the models that no job uses any more and forgets them, so that exactly one caller evicts each. */
  claimEvictableModels(): Promise<string[]>
}
