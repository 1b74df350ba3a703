import type { Logger } from "pino"
import type { ZodType } from "zod"
import type { StageName } from "../contracts/stages.ts"
import type { Models } from "../models/types.ts"
import type { OpenSource } from "../sources/types.ts"
import type { Speech } from "../speech/types.ts"
import type { JobSnapshot } from "../store/types.ts"

export type RetryPolicy = {
  /** How often a stage may be begun before its failure is the job's. */
  readonly maxAttempts: number
  /** Wait before the second attempt, in milliseconds; doubles with each further one. */
  readonly backoffMs: number
}

/** What a running stage may touch: engines and its progress. No database, no broker. */
export type StageContext = {
  readonly signal: AbortSignal
  readonly log: Logger
  readonly models: Models
  readonly speech: Speech
  readonly openSource: OpenSource
  /** Units done of units in all; free to be called often. */
  readonly progress: (done: number, total: number) => void
}

export type Stage<In, Out> = {
  readonly name: StageName
  readonly input: ZodType<In>
  readonly output: ZodType<Out>
  readonly timeoutMs: number
  readonly retry: RetryPolicy
  /** Picks the stage's input out of what is known of the job. Pure. */
  readonly gather: (job: JobSnapshot) => In
  readonly run: (input: In, ctx: StageContext) => Promise<Out>
}

/** Infers the types of a stage from its schemas. */
export const defineStage = <In, Out>(stage: Stage<In, Out>): Stage<In, Out> => Object.freeze(stage)
