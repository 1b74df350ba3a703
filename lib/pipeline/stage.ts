import type { Logger } from "pino"
import type { ZodType } from "zod"
import type { JobProgress } from "../domain/jobs/jobs.ts"
import type { StageName } from "../domain/jobs/stages.ts"
import type { TimedWord } from "../domain/transcript/words.ts"
import type { Embedder, TopicModel } from "../engines/language/types.ts"
import type { Speech } from "../engines/speech/types.ts"
import type { OpenSource } from "../sources/types.ts"
import type { JobSnapshot } from "../storage/stores/ports/stages.ts"

/** The models of a job. They are looked up on first use, so that `whisper` works without a model server. */
export type StageModels = {
  /** Returns the model that writes the job's topics. @throws AppError if the provider is not available */
  topics(): Promise<TopicModel>
  /** Returns the embedder of the installation. */
  embedder(): Promise<Embedder>
}

export type ReportProgress = (done: number, total: number, phase?: JobProgress["phase"]) => void

/** The result of one message. `dropped`: the claim was lost or the job ended in the meantime, and nothing was written. */
export type StageOutcome = "done" | "queued" | "error" | "dropped" | "duplicate" | "unknown"

/** Everything that a running stage may use. It has no access to the database or the broker. */
export type StageContext = {
  readonly signal: AbortSignal
  readonly log: Logger
  readonly models: StageModels
  readonly speech: Pick<Speech, "pick" | "embedSpeakers">
  readonly openSource: OpenSource
  /** Reports units done and units in total. May be called often. A stage with several phases passes the current one. */
  readonly progress: ReportProgress
  /** Shows words that the stage has just recognized, until its output replaces them. */
  readonly showWords: (words: readonly TimedWord[]) => void
}

export type Stage<In, Out> = {
  readonly name: StageName
  readonly input: ZodType<In>
  readonly output: ZodType<Out>
  /** Selects the stage's input from the job. Pure. */
  readonly gather: (job: JobSnapshot) => In
  readonly run: (input: In, ctx: StageContext) => Promise<Out>
}

export const defineStage = <In, Out>(stage: Stage<In, Out>): Stage<In, Out> => Object.freeze(stage)

/** A stage without its input and output types, so that all stages fit one table. `perform` validates both. */
export type RunnableStage = Pick<Stage<unknown, unknown>, "name"> & {
  readonly perform: (job: JobSnapshot, ctx: StageContext) => Promise<unknown>
}

export const toRunnableStage = <In, Out>(stage: Stage<In, Out>): RunnableStage => ({
  name: stage.name,
  perform: async (job, ctx) => stage.output.parse(await stage.run(stage.input.parse(stage.gather(job)), ctx)),
})
