import {
  type IngestResponse,
  ingestRequest,
  type QueryInput,
  type QueryResponse,
  queryRequest,
} from "../api/documents.ts"
import { MAX_CLIP_TITLE_CHARS } from "../domain/constants.ts"
import { AppError } from "../domain/errors.ts"
import { topicSettings } from "../domain/jobs/jobs.ts"
import { defaultTitle, type SourceRef } from "../domain/jobs/source.ts"
import { firstStage } from "../domain/jobs/stage-graph.ts"
import { STAGE_NAMES } from "../domain/jobs/stages.ts"
import { parseInput } from "../domain/parse-input.ts"
import type { TopicTree } from "../domain/topics/topic-tree.ts"
import type { TranscriptInput } from "../domain/transcript/given/read-transcript.ts"
import type { WordSpan } from "../domain/transcript/words.ts"
import type { Engines } from "../engines/types.ts"
import { type InlineRequest, runInline } from "../pipeline/run-inline.ts"
import { type Config, loadConfig } from "../platform/config/config.ts"
import { createLogger } from "../platform/logger.ts"
import { getClip } from "../services/clips/clips.ts"
import { requireStore } from "../services/deps.ts"
import { type IngestProgress, ingest } from "../services/documents/ingest.ts"
import { createEngines } from "../services/installation/engines.ts"
import { createSourceFolders, type Node, openNode } from "../services/installation/open-node.ts"
import { query } from "../services/search/query.ts"
import { withVocabulary } from "../services/vocabulary/vocabulary.ts"
import { type Identity, identify, uploadSessionId } from "../sources/identity.ts"
import { createOpenSource } from "../sources/open.ts"
import { recordingKey } from "../storage/blobs/keys.ts"
import type { TranscriptColumns } from "../storage/stores/ports/clips.ts"
import type { Store } from "../storage/stores/ports/store.ts"
import { type Block, groupIntoBlocks } from "./blocks.ts"
import { parseJobOptions, parseTranscript, type RunOptions, type TopicOptions } from "./options.ts"

/** A transcript. Times are in seconds. */
export type Transcription = {
  readonly session_id: string
  readonly words: readonly WordSpan[]
  readonly duration_s: number
  readonly language: string | null
  readonly speech_engine: string | null
  readonly whisper_model: string | null
  /** False if diarization did not run. Missing if the caller supplied the words. */
  readonly diarized?: boolean | null | undefined
  /** True if word times are estimated from longer segments. Missing if the caller supplied the words. */
  readonly estimated_times?: boolean | null | undefined
  /** Notes on the transcription, such as a fallback engine or missing speaker labels. */
  readonly transcript_notes?: readonly string[] | undefined
  /** True if the transcript was already stored. */
  readonly kept: boolean
}
export type Topics = { readonly session_id: string; readonly tree: TopicTree; readonly words: readonly WordSpan[] }

export type IngestOptions = {
  /** Remove documents at these paths whose files no longer exist. */
  readonly prune?: boolean
  readonly onProgress?: (progress: IngestProgress) => void
  readonly signal?: AbortSignal
}
export type QueryOptions = Omit<QueryInput, "question"> & { readonly signal?: AbortSignal }

/** A stored recording. `path` is its address in the blob storage, `sha256` the hash of its bytes in hex. */
export type UploadedRecording = { readonly path: string; readonly name: string; readonly sha256: string }

/** A path, an http(s) URL, a YouTube URL, `name:` and a name, or what `upload` returned. */
export type RecordingSource = string | UploadedRecording

const identifyUpload = ({ path, name, sha256 }: UploadedRecording): Identity => ({
  sessionId: uploadSessionId(sha256),
  ref: { kind: "upload", path, name },
})

const TOPIC_STAGES = STAGE_NAMES.filter((stage) => stage !== firstStage)
const TOPIC_STAGES_WITHOUT_STORE = TOPIC_STAGES.filter((stage) => stage !== "persist")

type Tools = { readonly engines: Engines; readonly store: Store | null }
type LoadedTranscript = {
  readonly columns: TranscriptColumns
  readonly sessionId: string
  /** True if the transcript was already stored. */
  readonly kept: boolean
}

/**
 * Runs Earmark in this process: the stages of the service without its queue, on the same store. Opens each dependency when
 * it is first needed. All methods throw AppError, whose message says what to do.
 */
export class Earmark {
  readonly #config: Config
  readonly #log
  readonly #openSource
  #node: Promise<Node> | null = null
  #engines: Engines | null = null

  /** @param config default: the settings in the environment (`SERVICE_…`) */
  constructor(config: Config = loadConfig(process.env)) {
    this.#config = config
    // A library does not log successes.
    this.#log = createLogger(config.logLevel === "info" ? "warn" : config.logLevel, "sdk")
    this.#openSource = createOpenSource(createSourceFolders(config, async () => (await this.#open()).blobs))
  }

  /** Transcribes a recording. Returns the stored transcript if there is one, unless `force_retranscribe` is set. */
  async transcribe(source: RecordingSource, options: RunOptions = {}): Promise<Transcription> {
    const { sessionId, kept, columns } = await this.#loadTranscript(source, options)
    const { file_path: _, words, ...rest } = columns
    return { session_id: sessionId, words, ...rest, kept }
  }

  /**
   * Stores the bytes of a recording, as an upload to the service does, and returns a source for the other methods. The
   * same bytes are the same clip, whatever the name.
   */
  async upload(bytes: AsyncIterable<Uint8Array>, name: string): Promise<UploadedRecording> {
    const { blobs } = await this.#open()
    const incoming = await blobs.receive(bytes, { maxBytes: this.#config.http.maxUploadBytes })
    const key = recordingKey(incoming.sha256, name)
    await incoming.keep(key)
    return { path: blobs.addressOf(key), name, sha256: incoming.sha256 }
  }

  /** Generates the topic tree of a recording, or of the words in `transcription`. */
  async generateTopics(source: RecordingSource, options: TopicOptions = {}): Promise<Topics> {
    const { columns, sessionId } = await this.#loadTranscript(source, options)
    const { engines } = await this.#openTools(options)
    return this.#runTopicStages({ ...this.#createRequest(source, options, engines), sessionId }, columns, options)
  }

  /**
   * Generates the topics of a clip again from its transcript. Topic edits apply to the new tree, and the previous tree
   * remains as a topic run. Returns the new tree without edits.
   */
  async rerunTopics(clipId: string, options: RunOptions = {}): Promise<Topics> {
    const node = await this.#open()
    const clip = await getClip(node, { id: clipId })
    const source: SourceRef = { kind: "file", path: clip.file_path ?? clip.source_url ?? clipId }
    const common = this.#createCommonRequest({ ...options, title: clip.title }, node.engines)
    const transcript = { words: clip.transcription, duration_s: clip.duration_s }
    return this.#runTopicStages({ ...common, sessionId: clipId, source }, transcript, options)
  }

  /** Stores words as the transcript of the clip that `source` identifies. The recording need not exist. */
  async persistTranscription(source: string, words: TranscriptInput, options: RunOptions = {}): Promise<string> {
    return (await this.#loadTranscript(source, { ...options, persist: true, transcription: words })).sessionId
  }

  /** Stores a tree, its topics and their vectors for an existing clip. Returns its session ID. */
  async persistTopics(source: string, tree: TopicTree, options: RunOptions = {}): Promise<string> {
    const { engines, store } = await this.#openTools({ persist: true })
    const request = this.#createRequest(source, { ...options, transcription: [] }, engines)
    const { topics } = await runInline({ ...request, stages: ["persist"], state: { l0: { tree } } })
    if (!topics || !(await store?.topics.save(request.sessionId, topics)))
      throw new AppError("not_found", `unknown clip '${request.sessionId}': store its transcript first`)
    return request.sessionId
  }

  /** Returns the transcript in windows of `boundary_block_seconds`, in the format that language models receive. */
  async transcribeBlocks(source: RecordingSource, options: RunOptions = {}): Promise<Block[]> {
    const { words } = await this.transcribe(source, options)
    return groupIntoBlocks(words, parseJobOptions(options).boundary_block_seconds)
  }

  /** Ingests files and folders inside the roots as documents. Unchanged files are skipped. */
  async ingest(paths: readonly string[], options: IngestOptions = {}): Promise<IngestResponse> {
    const { signal = new AbortController().signal, onProgress, prune = false } = options
    const request = parseInput(ingestRequest, { paths, prune }, "options")
    return ingest(await this.#open(), request, { signal, ...(onProgress && { onProgress }) })
  }

  /** Answers a question from the documents, the clips or both. `[n]` in the answer refers to the n-th source. */
  async query(question: string, options: QueryOptions = {}): Promise<QueryResponse> {
    const { signal = new AbortController().signal, ...rest } = options
    return query(await this.#open(), parseInput(queryRequest, { ...rest, question }, "options"), signal)
  }

  /** Stops child processes and closes the database. */
  async close(): Promise<void> {
    await this.#engines?.close()
    await (await this.#node)?.close()
  }

  #open(): Promise<Node> {
    this.#node ??= openNode(this.#config, this.#log)
    return this.#node
  }

  async #openTools({ persist = true }: Pick<RunOptions, "persist">): Promise<Tools> {
    if (!persist) {
      this.#engines ??= createEngines({ config: this.#config, log: this.#log, store: null })
      return { engines: this.#engines, store: null }
    }
    const node = await this.#open()
    return { engines: node.engines, store: requireStore(node) }
  }

  #createRequest(source: RecordingSource, options: TopicOptions, engines: Engines): InlineRequest {
    const hasTranscript = options.transcription !== undefined
    const { sessionId, ref } =
      typeof source === "string"
        ? identify(source, { roots: this.#config.roots, cwd: process.cwd(), hasTranscript })
        : identifyUpload(source)
    return { sessionId, source: ref, ...this.#createCommonRequest(options, engines) }
  }

  #createCommonRequest(options: RunOptions, engines: Engines): Omit<InlineRequest, "sessionId" | "source"> {
    const { signal = new AbortController().signal, onProgress } = options
    return {
      options: parseJobOptions(options),
      engines,
      openSource: this.#openSource,
      signal,
      log: this.#log,
      ...(onProgress && { onProgress }),
    }
  }

  /** Runs the whisper stage and stores its transcript, so that an error in a later stage does not lose it. */
  async #loadTranscript(source: RecordingSource, options: TopicOptions): Promise<LoadedTranscript> {
    const { engines, store } = await this.#openTools(options)
    const created = this.#createRequest(source, options, engines)
    const request = store ? { ...created, options: await withVocabulary(store, created.options) } : created
    let stored: TranscriptColumns | null = null
    const recall = async (id: string) => {
      const clip = request.options.force_retranscribe ? null : ((await store?.clips.get(id)) ?? null)
      // Check the duration instead of the words, because a transcribed recording may contain no speech.
      stored = clip && clip.duration_s > 0 ? { ...clip, words: clip.transcription } : null
      return stored
    }
    const supplied = options.transcription === undefined ? {} : { given: parseTranscript(options.transcription) }
    const { sessionId, transcript } = await runInline({ ...request, ...supplied, recall, stages: [firstStage] })
    const columns = transcript ?? stored
    if (!columns) throw new Error("the whisper stage returned no transcript")
    if (transcript && store) await store.clips.saveTranscript(sessionId, newClip(request, transcript), columns)
    return { columns, sessionId, kept: transcript === null }
  }

  async #runTopicStages(
    request: InlineRequest,
    { words, duration_s }: Pick<TranscriptColumns, "words" | "duration_s">,
    { persist }: RunOptions,
  ): Promise<Topics> {
    const { store } = await this.#openTools(persist === undefined ? {} : { persist })
    const { sessionId, options } = request
    const result = await runInline({
      ...request,
      recall: async () => ({ words, duration_s }),
      stages: store ? TOPIC_STAGES : TOPIC_STAGES_WITHOUT_STORE,
    })
    if (!result.tree) throw new Error("the l0 stage returned no tree")
    if (result.topics) await store?.topics.save(sessionId, result.topics, topicSettings.parse(options))
    return { session_id: sessionId, tree: result.tree, words }
  }
}

const newClip = ({ source, options }: InlineRequest, { file_path, about, source_url }: TranscriptColumns) => ({
  title: (options.title ?? about?.title ?? defaultTitle(source)).slice(0, MAX_CLIP_TITLE_CHARS),
  source_url: source_url ?? ("url" in source ? source.url : null),
  file_path,
})
