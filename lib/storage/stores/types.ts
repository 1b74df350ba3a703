import type { Clip, ClipList, ClipPatch, ClipsQuery } from "../../domain/clips.ts"
import type { JobState, PersistOutput, WhisperOutput } from "../../domain/jobs/job-state.ts"
import type {
  AudioJobRequest,
  JobList,
  JobOptions,
  JobProgress,
  JobRecord,
  JobsQuery,
  TopicSettings,
} from "../../domain/jobs/jobs.ts"
import type { SourceRef } from "../../domain/jobs/source.ts"
import type { JobStatus, StageName } from "../../domain/jobs/stages.ts"
import type { TraceContext } from "../../domain/jobs/trace.ts"
import type { SearchAnswer, SearchQuery, WordsHit } from "../../domain/search.ts"
import type { ClipTopics, TopicPatch } from "../../domain/topics/topic-edits.ts"
import type { TopicRun, TopicRunEntry } from "../../domain/topics/topic-runs.ts"
import type { FlatTopic } from "../../domain/topics/topic-tree.ts"
import type { Waveform } from "../../domain/transcript/waveform.ts"
import type { StoredEdit, WordEdit } from "../../domain/transcript/word-edits.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import type { GpuKind } from "./gpu-turns.ts"
import type { DocumentIndex } from "./search/types.ts"

/** The graph as data, one row a stage, kept with the job: the store routes by it and knows no graph of its own. */
export type PlannedStage = {
  readonly stage: StageName
  /** Successors to enqueue when this one is done. */
  readonly next: readonly StageName[]
  /** For a join: the stages all of which must be done before this one is enqueued. Else empty. */
  readonly joins: readonly StageName[]
  readonly maxAttempts: number
}

export type NewJob = {
  readonly jobId: string
  readonly sessionId: string
  readonly title: string
  readonly source: SourceRef
  readonly options: JobOptions
  /** The caller's own words, when given. */
  readonly transcription?: AudioJobRequest["transcription"]
  readonly plan: readonly PlannedStage[]
  /** The stage whose message is inserted with the job. */
  readonly first: StageName
  /** The trace of the request; every message of the job carries it. */
  readonly trace?: TraceContext | undefined
}

/** All that is known of a job when a stage begins. */
export type JobSnapshot = {
  readonly jobId: string
  /** The clip's id: result_session_id if set, else session_id. */
  readonly sessionId: string
  readonly title: string
  readonly source: SourceRef
  readonly options: JobOptions
  readonly given: readonly WordSpan[] | null
  /** The clip's transcript; null when there is none yet. */
  readonly words: readonly WordSpan[] | null
  readonly duration_s: number
  readonly state: JobState
}

/** A stage in hand. `attempt` is the fence: every write of a running stage carries it. */
export type Claim = {
  readonly jobId: string
  readonly stage: StageName
  readonly attempt: number
  /** Attempts charged in this run of the job, this one included. */
  readonly tries: number
  readonly owner: string
}

export type ClaimResult =
  | { readonly claim: Claim; readonly job: JobSnapshot }
  /** duplicate: done, cancelled or in other hands. unknown: no such job. */
  | { readonly claim: null; readonly why: "duplicate" | "unknown" }

export type StageResult =
  | { readonly stage: "whisper"; readonly output: WhisperOutput }
  | { readonly stage: "persist"; readonly output: PersistOutput }
  | { readonly stage: Exclude<StageName, "whisper" | "persist">; readonly output: unknown }

export type StageFailure = {
  readonly detail: string
  /** never: the job ends in error. retry: again after `retryInMs`, while attempts are left. later: again, uncharged. */
  readonly kind: "never" | "retry" | "later"
  readonly retryInMs: number
}

export type OutboxMessage = { readonly id: string; readonly stage: StageName; readonly body: string }

export type MapTopic = FlatTopic & {
  readonly clip_id: string
  /** The voice that speaks longest in it; null: none, or not known yet. */
  readonly speaker: string | null
  readonly hash: string
  readonly text: string
}
export type MapSnapshot = {
  /** Rises with every change that the map shows. */
  readonly revision: number
  readonly clips: readonly {
    readonly id: string
    readonly title: string
    /** Names that people gave to voices, by voice. */
    readonly speakers: Readonly<Record<string, string>>
    /** When it was published, else when it came in; ISO 8601. */
    readonly date: string
  }[]
  /** By clip (oldest first), then by number. */
  readonly topics: readonly MapTopic[]
}

/** A layout by content: `hashes[i]` lies at coords[3i..3i+2]. */
export type Layout = { readonly version: number; readonly hashes: readonly string[]; readonly coords: Float32Array }

export type ChoiceKind = "provider" | "embedder" | "speech"
export type Choice = {
  readonly kind: ChoiceKind
  readonly value: string
  readonly reason: string
  readonly chosen_at: number
}

export type WorkerStatus = {
  readonly id: string
  readonly host: string
  readonly pid: number
  /** Of its program; null for one from before versions were told. */
  readonly version: string | null
  readonly stages: readonly StageName[]
  readonly started_at: number
  /** Last time a stage was claimed or ended here; null: never. */
  readonly active_at: number | null
  readonly seen_at: number
}

/** The transcript columns of a clip, owned by whisper. `created` is used only when the clip is new. */
export type TranscriptColumns = Omit<Extract<WhisperOutput, { kind: "words" }>, "kind">
export type NewClip = { readonly title: string; readonly source_url: string | null; readonly file_path: string | null }

/** What is left to remove of a deleted clip: paths of uploaded files that no job names any more. */
export type DeletedClip = { readonly uploads: readonly string[] }

/**
 * Everything that is kept. Each method is one whole transaction. A database that is locked for longer than its
 * busy time or whose disk is full throws AppError `unavailable` or `storage_full`, never something else.
 * Times are milliseconds since the epoch.
 */
export interface Store {
  readonly kind: string
  /** What is not as good here as it could be, as a sentence for people; null: nothing. */
  readonly degradedReason: string | null

  // jobs
  submitJob(job: NewJob): Promise<JobRecord>
  getJob(jobId: string): Promise<JobRecord | null>
  /** Newest first. */
  listJobs(query: JobsQuery): Promise<JobList>
  /** Null: unknown. Throws AppError `conflict` when it has ended. */
  cancelJob(jobId: string): Promise<JobRecord | null>
  /** How many there are of each status. */
  countJobs(): Promise<Record<JobStatus, number>>
  /**
   * Starts again at the stages that did not finish, under the trace of who asked. Null: unknown. `conflict` unless error
   * or cancelled.
   */
  retryJob(jobId: string, trace?: TraceContext): Promise<JobRecord | null>

  // stages
  /** `alone` false: nothing is claimed whose last worker died, because it may be the cause. */
  claimStage(p: {
    jobId: string
    stage: StageName
    owner: string
    host: string
    leaseMs: number
    alone?: boolean
  }): Promise<ClaimResult>
  /** Extends the lease. lost: another attempt has it. cancelled: the job was cancelled or failed meanwhile. */
  heartbeat(claim: Claim, leaseMs: number): Promise<"held" | "lost" | "cancelled">
  reportProgress(claim: Claim, progress: JobProgress): Promise<void>
  /** Result, stage state and outbox rows of what follows, or false when the claim no longer holds: nothing was written. */
  completeStage(claim: Claim, result: StageResult): Promise<boolean>
  /** What became of it: queued again, or the job's end in error; fenced: nothing was written. */
  failStage(claim: Claim, failure: StageFailure): Promise<"queued" | "error" | "fenced">
  /** Requeues stages whose lease is over, or ends their job when its attempts are used up. Numbers of each. */
  sweep(): Promise<{ requeued: number; failed: number }>

  // outbox
  /** Messages that are due and not published yet, oldest first. */
  dueOutbox(limit: number): Promise<OutboxMessage[]>
  /** Calls `wake` when something new is in the outbox. @returns what ends it; null: this database does not tell */
  watchOutbox(wake: () => void): (() => void) | null
  markPublished(ids: readonly string[]): Promise<void>
  /**
   * By stage, since when its oldest job is in the queue, put off or not, in milliseconds since the epoch: from when this
   * run of the job first queued the stage. None is: left out.
   */
  queuedSince(): Promise<Partial<Record<StageName, number>>>
  /** A named lease for one process among many (the relay): true when this owner has it now. */
  acquireLease(p: { name: string; owner: string; ttlMs: number }): Promise<boolean>
  releaseLease(p: { name: string; owner: string }): Promise<void>

  // a language model in use: the last run that ends evicts it
  holdModel(p: { jobId: string; model: string }): Promise<void>
  /** Models whose every run has ended, each handed out exactly once. */
  claimEvictableModels(): Promise<string[]>

  // a GPU: work of one kind at a time
  /**
   * Asks for a place among those of this kind on a GPU; to be asked again until it is true. The place lasts until it is
   * given up or the claim's lease is over. `turnMs`: how long the other kind may be kept waiting; `lingerMs`: how long the
   * GPU is kept for a kind after the last of it has left.
   */
  enterGpu(p: { claim: Claim; gpu: string; kind: GpuKind; turnMs: number; lingerMs: number }): Promise<boolean>
  leaveGpu(claim: Claim): Promise<void>

  // clips
  getClip(id: string): Promise<Clip | null>
  /** What a clip is called, without reading its words. Null: unknown. */
  clipTitle(id: string): Promise<string | null>
  /** Creates the clip when it is new (first writer wins), then writes the transcript columns alone. */
  saveTranscript(id: string, clip: NewClip, columns: TranscriptColumns): Promise<void>
  /**
   * Writes tree, topics and vectors of an existing clip; the tree is kept as a run too, with the settings that made it.
   * What people wrote over the topics stands. False: unknown clip.
   */
  saveTopics(id: string, output: PersistOutput, settings?: TopicSettings): Promise<boolean>
  /** Newest first. */
  listClips(query: ClipsQuery): Promise<ClipList>
  /** Writes what people say over a clip, which no run of the pipeline touches. Null: unknown. Raises the map's revision. */
  editClip(id: string, patch: ClipPatch): Promise<Clip | null>
  /** The topics as people see them, with their edits, oldest first. Null: unknown clip. */
  getTopics(id: string): Promise<ClipTopics | null>
  /**
   * Writes over a topic, named by its number in the tree as it stands; null in the patch takes an edit away. The map's
   * revision rises. Null: unknown clip. Throws AppError `not_found` for a topic that is not there, `invalid` for a border
   * that cannot lie there.
   */
  editTopic(id: string, topic: string, patch: TopicPatch): Promise<ClipTopics | null>
  /** Takes one edit away, shown or not. Null: unknown clip. Throws AppError `not_found` for an unknown edit. */
  removeTopicEdit(id: string, edit: string): Promise<ClipTopics | null>
  /** The runs that are kept of a clip, newest first; the newest made its tree. Null: unknown clip. */
  listTopicRuns(id: string): Promise<TopicRunEntry[] | null>
  /** A run with its tree, as it made it. Null: unknown. */
  getTopicRun(run: string): Promise<TopicRun | null>
  /**
   * Removes a clip with its jobs, topics and the vectors that no other topic uses; where nothing was heard yet, the
   * jobs alone. Null: unknown. Throws AppError
   * `conflict` while one of its jobs is queued or running.
   */
  deleteClip(id: string): Promise<DeletedClip | null>

  // what people correct in a transcript; a re-run's words get it too
  /** In the order in which they were made. Null: unknown clip. */
  wordEdits(id: string): Promise<StoredEdit[] | null>
  /** Applies corrections to the transcript and keeps them. Null: unknown clip; none: it has no transcript. */
  editWords(id: string, edits: readonly WordEdit[]): Promise<StoredEdit[] | null>
  /** Takes one correction back. False: there is none of this number. */
  dropWordEdit(id: string, edit: number): Promise<boolean>

  // looking at the library
  /** The waveform made of the file that `stamp` tells of. */
  waveform(id: string, stamp: string): Promise<Waveform | null>
  saveWaveform(id: string, stamp: string, waveform: Waveform): Promise<void>
  /** Prepares what is new or changed for search and map, which else do so while somebody waits. How many clips it was. */
  prepareLibrary(): Promise<number>
  /** Titles, topics and spoken words that hold every word of the question, the last one as a beginning; best first. */
  searchLibrary(query: SearchQuery): Promise<SearchAnswer>
  /** Where every word of the question is said close together (within 30 s), the last one as a beginning; best first. */
  searchSpoken(query: SearchQuery): Promise<readonly WordsHit[]>

  // the map
  mapRevision(): Promise<number>
  mapSnapshot(): Promise<MapSnapshot>
  /** Vectors that are kept, by hash. */
  getVectors(model: string, hashes: readonly string[]): Promise<Map<string, Float32Array>>
  putVectors(model: string, vectors: readonly { hash: string; vector: Float32Array }[]): Promise<void>
  getLayout(model: string): Promise<Layout | null>
  /** Replaces the layout and raises its version, unless it is no longer the one with `replaces`. Null: it was not. */
  putLayout(model: string, layout: Omit<Layout, "version">, replaces: number): Promise<Layout | null>

  /** Documents and passages, for questions. */
  readonly search: DocumentIndex

  // the installation
  choices(): Promise<Choice[]>
  /** First writer wins; the choice that stands comes back. */
  recordChoice(choice: Omit<Choice, "chosen_at">): Promise<Choice>
  /** Overwrites or, with null, forgets a choice. */
  setChoice(kind: ChoiceKind, choice: { value: string; reason: string } | null): Promise<void>
  recordHeartbeat(worker: Omit<WorkerStatus, "seen_at">): Promise<void>
  /** Removes a worker's row at its orderly end. */
  deregisterWorker(id: string): Promise<void>
  workers(p: { aliveWithinMs: number }): Promise<WorkerStatus[]>

  /** The time by the clock that all times here are of: that of the database. The clocks of hosts differ from it. */
  now(): Promise<number>
  /** Throws when the database cannot be read, or is one that takes no writes. A full disk shows only at a write. */
  ping(): Promise<void>
  close(): Promise<void>
}
