import type { Logger } from "pino"
import type { ZodType } from "zod"
import type { JobProgress } from "../domain/jobs/jobs.ts"
import type { StageName } from "../domain/jobs/stages.ts"
import type { Embedder, TopicModel } from "../engines/language/types.ts"
import type { Speech } from "../engines/speech/types.ts"
import type { OpenSource } from "../sources/types.ts"
import type { JobSnapshot } from "../storage/stores/ports/stages.ts"

/** The models of the job, looked up when a stage asks: whisper runs on where no model server answers. */
export type StageModels = {
  /** Who writes the job's topics. @throws AppError when the provider it asks for cannot run. */
  topics(): Promise<TopicModel>
  /** The embedder of the installation. */
  embedder(): Promise<Embedder>
}

export type ReportProgress = (done: number, total: number, phase?: JobProgress["phase"]) => void

/** What a running stage may touch: engines and its progress. No database, no broker. */
export type StageContext = {
  readonly signal: AbortSignal
  readonly log: Logger
  readonly models: StageModels
  readonly speech: Pick<Speech, "pick">
  readonly openSource: OpenSource
  /** Units done of units in all; free to be called often. A stage with several phases names the one it is in. */
  readonly progress: ReportProgress
}

export type Stage<In, Out> = {
  readonly name: StageName
  readonly input: ZodType<In>
  readonly output: ZodType<Out>
  /** Picks the stage's input out of what is known of the job. Pure. */
  readonly gather: (job: JobSnapshot) => In
  readonly run: (input: In, ctx: StageContext) => Promise<Out>
}

/** Infers the types of a stage from its schemas. */
export const defineStage = <In, Out>(stage: Stage<In, Out>): Stage<In, Out> => Object.freeze(stage)

/** A stage with its types hidden, so that all eight fit one table: gathers, checks, runs and checks again. */
export type RunnableStage = Pick<Stage<unknown, unknown>, "name"> & {
  readonly perform: (job: JobSnapshot, ctx: StageContext) => Promise<unknown>
}

export const runnable = <In, Out>(stage: Stage<In, Out>): RunnableStage => ({
  name: stage.name,
  perform: async (job, ctx) => stage.output.parse(await stage.run(stage.input.parse(stage.gather(job)), ctx)),
})
