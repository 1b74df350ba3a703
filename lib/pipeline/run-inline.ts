import { AppError } from "../domain/errors.ts"
import { type JobState, type PersistOutput, STATE_KEY, type WhisperOutput } from "../domain/jobs/job-state.ts"
import type { JobOptions, JobProgress } from "../domain/jobs/jobs.ts"
import type { SourceRef } from "../domain/jobs/source.ts"
import { firstStage, predecessorsOf } from "../domain/jobs/stage-graph.ts"
import { STAGE_NAMES, type StageName } from "../domain/jobs/stages.ts"
import type { TopicTree } from "../domain/topics/topic-tree.ts"
import type { WordSpan } from "../domain/transcript/words.ts"
import type { TopicModel } from "../engines/language/types.ts"
import type { Engines } from "../engines/types.ts"
import type { Logger } from "../platform/logger.ts"
import type { OpenSource } from "../sources/types.ts"
import type { TranscriptColumns } from "../storage/stores/ports/clips.ts"
import type { JobSnapshot } from "../storage/stores/ports/stages.ts"
import { collapseSingleChildren } from "./stages/collapse-single-children.ts"
import { STAGES } from "./stages/index.ts"

export type InlineRequest = {
  readonly sessionId: string
  readonly source: SourceRef
  readonly options: JobOptions
  /** The caller's own words: nothing is opened then. */
  readonly words?: readonly WordSpan[]
  readonly engines: Pick<Engines, "topicsFor" | "embedder" | "speech" | "release">
  readonly openSource: OpenSource
  readonly signal: AbortSignal
  readonly log: Logger
  readonly onProgress?: (progress: JobProgress) => void
  /** Which stages run; all eight when left out. One whose predecessors are left out finds their results missing. */
  readonly stages?: readonly StageName[]
  /** What earlier stages left, when some are left out. */
  readonly state?: JobState
  /** A transcript that is kept for a clip, so that nobody listens twice. */
  readonly recall?: (sessionId: string) => Promise<{ words: readonly WordSpan[]; duration_s: number } | null>
}

export type InlineResult = {
  /** By real path: may differ from the one asked for. */
  readonly sessionId: string
  readonly words: readonly WordSpan[]
  readonly duration_s: number
  /** What whisper made or was given; null when a kept transcript stands. */
  readonly transcript: TranscriptColumns | null
  /** Collapsed; null when l0 did not run. */
  readonly tree: TopicTree | null
  /** For the store; null when persist did not run. */
  readonly topics: PersistOutput | null
}

/**
 * Runs stages in this process along the graph, parallel branches at once, without store or broker. The first failure
 * aborts the others and is thrown when they have ended. A language model is freed at the end, whatever it was.
 * @throws AppError of the stage that failed; the reason of `signal` when that is aborted
 */
export const runInline = async (request: InlineRequest): Promise<InlineResult> => {
  const { options, engines, openSource, log, onProgress } = request
  const wanted = STAGE_NAMES.filter((s) => (request.stages ?? STAGE_NAMES).includes(s))
  const failure = new AbortController()
  const signal = AbortSignal.any([request.signal, failure.signal])
  const kept = request.words ? null : await request.recall?.(request.sessionId)

  let job: JobSnapshot = {
    jobId: "inline",
    sessionId: request.sessionId,
    title: options.title ?? "",
    source: request.source,
    options,
    given: request.words ?? null,
    words: kept?.words ?? null,
    duration_s: kept?.duration_s ?? 0,
    state: request.state ?? {},
  }
  let transcript: TranscriptColumns | null = null
  let topics: PersistOutput | null = null
  const models = new Set<string>()

  const topicsFor = async (stage: StageName): Promise<TopicModel> => {
    const model = await engines.topicsFor(options)
    if (model.model !== null && stage in STATE_KEY) models.add(model.model)
    return model
  }
  const perform = (stage: StageName): Promise<unknown> =>
    STAGES[stage].perform(job, {
      signal,
      log,
      openSource,
      speech: engines.speech,
      models: { topics: () => topicsFor(stage), embedder: () => engines.embedder() },
      progress: (done, total, phase) => onProgress?.({ stage, done, total, ...(phase && { phase }) }),
    })

  const listen = async (): Promise<void> => {
    const output = (await perform(firstStage)) as WhisperOutput
    if (output.kind === "moved") {
      if (job.sessionId !== request.sessionId)
        throw new AppError("conflict", "the source changes while it is read: give a path that stays as it is")
      const known = await request.recall?.(output.session_id)
      const source: SourceRef = output.file_path === null ? job.source : { kind: "file", path: output.file_path }
      job = {
        ...job,
        sessionId: output.session_id,
        source,
        words: known?.words ?? null,
        duration_s: known?.duration_s ?? 0,
      }
      return listen()
    }
    if (output.kind === "kept") return
    const { kind: _, ...columns } = output
    transcript = columns
    job = { ...job, words: columns.words, duration_s: columns.duration_s }
  }

  const begun = new Map<StageName, Promise<void>>()
  const run = async (stage: StageName): Promise<void> => {
    await Promise.all(
      predecessorsOf(stage)
        .filter((s) => wanted.includes(s))
        .map(begin),
    )
    try {
      signal.throwIfAborted()
      if (stage === firstStage) return await listen()
      const output = await perform(stage)
      if (stage in STATE_KEY) {
        const key = STATE_KEY[stage as keyof typeof STATE_KEY]
        job = { ...job, state: { ...job.state, [key]: output } as JobState }
      } else topics = output as PersistOutput
    } catch (error) {
      failure.abort(error)
      throw error
    }
  }
  const begin = (stage: StageName): Promise<void> => {
    const promise = begun.get(stage) ?? run(stage)
    begun.set(stage, promise)
    return promise
  }

  await Promise.allSettled(wanted.map(begin))
  for (const model of models) await engines.release(model)
  request.signal.throwIfAborted()
  failure.signal.throwIfAborted()
  return {
    sessionId: job.sessionId,
    words: job.words ?? [],
    duration_s: job.duration_s,
    transcript,
    tree: job.state.l0 ? collapseSingleChildren(job.state.l0.tree) : null,
    topics,
  }
}
