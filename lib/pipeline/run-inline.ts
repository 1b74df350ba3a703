import { AppError } from "../domain/errors.ts"
import { type JobState, type PersistOutput, STATE_KEY, type WhisperOutput } from "../domain/jobs/job-state.ts"
import type { JobProgress, StoredJobOptions } from "../domain/jobs/jobs.ts"
import type { SourceRef } from "../domain/jobs/source.ts"
import { firstStage, predecessorsOf } from "../domain/jobs/stage-graph.ts"
import { STAGE_NAMES, type StageName } from "../domain/jobs/stages.ts"
import type { TopicTree } from "../domain/topics/topic-tree.ts"
import type { GivenTranscript } from "../domain/transcript/given/read-transcript.ts"
import type { TranscriptOrigin } from "../domain/transcript/transcript-origin.ts"
import type { WordSpan } from "../domain/transcript/words.ts"
import type { TopicModel } from "../engines/language/types.ts"
import type { Engines } from "../engines/types.ts"
import type { Logger } from "../platform/logger.ts"
import type { OpenSource } from "../sources/types.ts"
import type { TranscriptColumns } from "../storage/stores/ports/clips.ts"
import type { JobSnapshot } from "../storage/stores/ports/stages.ts"
import { collapseSingleChildren } from "./stages/collapse-single-children.ts"
import { STAGES } from "./stages/index.ts"

type RecalledTranscript = {
  readonly words: readonly WordSpan[]
  readonly duration_s: number
} & Partial<TranscriptOrigin>

const originOf = (recalled: RecalledTranscript | null | undefined): TranscriptOrigin | null =>
  recalled
    ? {
        speech_engine: recalled.speech_engine ?? null,
        whisper_model: recalled.whisper_model ?? null,
        language: recalled.language ?? null,
      }
    : null

export type InlineRequest = {
  readonly sessionId: string
  readonly source: SourceRef
  readonly options: StoredJobOptions
  /** The caller's own transcript. The source is not opened then. */
  readonly given?: GivenTranscript
  readonly engines: Pick<Engines, "getTopicModel" | "getEmbedder" | "speech" | "releaseModel">
  readonly openSource: OpenSource
  readonly signal: AbortSignal
  readonly log: Logger
  readonly onProgress?: (progress: JobProgress) => void
  /** The stages to run. All by default. The outputs of omitted stages must be in `state`. */
  readonly stages?: readonly StageName[]
  /** The outputs of earlier stages. */
  readonly state?: JobState
  /** Returns the stored transcript of a clip, so that it is not transcribed again. */
  readonly recall?: (sessionId: string) => Promise<RecalledTranscript | null>
}

export type InlineResult = {
  /** The ID derived from the real path. It may differ from the requested one. */
  readonly sessionId: string
  readonly words: readonly WordSpan[]
  readonly duration_s: number
  /** The transcript that `whisper` produced or was given. Null if the stored transcript was kept. */
  readonly transcript: TranscriptColumns | null
  /** The topic tree without single children. Null if `l0` did not run. */
  readonly tree: TopicTree | null
  /** The input for the store. Null if `persist` did not run. */
  readonly topics: PersistOutput | null
}

/**
 * Runs stages in this process without store or broker, and parallel branches concurrently. The first failure aborts the other
 * stages and is thrown after they have ended. Language models are evicted at the end in any case.
 * @throws AppError of the stage that failed, or the abort reason of `signal`
 */
export const runInline = async (request: InlineRequest): Promise<InlineResult> => {
  const { options, engines, openSource, log, onProgress } = request
  const wanted = STAGE_NAMES.filter((s) => (request.stages ?? STAGE_NAMES).includes(s))
  const failure = new AbortController()
  const signal = AbortSignal.any([request.signal, failure.signal])
  const kept = request.given ? null : await request.recall?.(request.sessionId)

  let job: JobSnapshot = {
    jobId: "inline",
    sessionId: request.sessionId,
    title: options.title ?? "",
    source: request.source,
    options,
    given: request.given ?? null,
    words: kept?.words ?? null,
    duration_s: kept?.duration_s ?? 0,
    made_by: originOf(kept),
    state: request.state ?? {},
  }
  let transcript: TranscriptColumns | null = null
  let topics: PersistOutput | null = null
  const models = new Set<string>()

  const topicsFor = async (stage: StageName): Promise<TopicModel> => {
    const model = await engines.getTopicModel(options)
    if (model.provider !== "openai" && model.model !== null && stage in STATE_KEY) models.add(model.model)
    return model
  }
  const perform = (stage: StageName): Promise<unknown> =>
    STAGES[stage].perform(job, {
      signal,
      log,
      openSource,
      speech: engines.speech,
      models: { topics: () => topicsFor(stage), embedder: () => engines.getEmbedder() },
      progress: (done, total, phase) => onProgress?.({ stage, done, total, ...(phase && { phase }) }),
      showWords: () => {},
    })

  const transcribe = async (): Promise<void> => {
    const output = (await perform(firstStage)) as WhisperOutput
    if (output.kind === "moved") {
      if (job.sessionId !== request.sessionId)
        throw new AppError("conflict", "The source changed while it was read. Use a path that does not change.")
      const stored = await request.recall?.(output.session_id)
      const source: SourceRef = output.file_path === null ? job.source : { kind: "file", path: output.file_path }
      job = {
        ...job,
        sessionId: output.session_id,
        source,
        words: stored?.words ?? null,
        duration_s: stored?.duration_s ?? 0,
        made_by: originOf(stored),
      }
      return transcribe()
    }
    if (output.kind === "kept") return
    const { kind: _, ...columns } = output
    transcript = columns
    job = { ...job, words: columns.words, duration_s: columns.duration_s }
  }

  const started = new Map<StageName, Promise<void>>()
  const run = async (stage: StageName): Promise<void> => {
    await Promise.all(
      predecessorsOf(stage)
        .filter((s) => wanted.includes(s))
        .map(start),
    )
    try {
      signal.throwIfAborted()
      if (stage === firstStage) return await transcribe()
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
  const start = (stage: StageName): Promise<void> => {
    const promise = started.get(stage) ?? run(stage)
    started.set(stage, promise)
    return promise
  }

  await Promise.allSettled(wanted.map(start))
  for (const model of models) await engines.releaseModel(model)
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
