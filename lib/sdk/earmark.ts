import { type IngestResult, ingestRequest, type QueryInput, type QueryResult, queryRequest } from "../api/documents.ts"
import { MAX_CLIP_TITLE_CHARS } from "../domain/constants.ts"
import { AppError } from "../domain/errors.ts"
import { topicSettings } from "../domain/jobs/jobs.ts"
import type { SourceRef } from "../domain/jobs/source.ts"
import { defaultTitle } from "../domain/jobs/source.ts"
import { firstStage } from "../domain/jobs/stage-graph.ts"
import { STAGE_NAMES } from "../domain/jobs/stages.ts"
import type { TopicTree } from "../domain/topics/topic-tree.ts"
import type { WordSpan } from "../domain/transcript/words.ts"
import type { Engines } from "../engines/types.ts"
import { type InlineRequest, runInline } from "../pipeline/run-inline.ts"
import { type Config, loadConfig } from "../platform/config/config.ts"
import { createLogger } from "../platform/logger.ts"
import { getClip } from "../services/clips/get-clip.ts"
import { type IngestProgress, ingest } from "../services/documents/ingest.ts"
import { sourceFolders } from "../services/documents/source-folders.ts"
import { createEngines } from "../services/installation/engines.ts"
import { type Node, openNode } from "../services/installation/open-node.ts"
import { requireStore } from "../services/installation/require.ts"
import { query } from "../services/search/query.ts"
import { type Identity, identify } from "../sources/identity.ts"
import { createOpenSource } from "../sources/open.ts"
import type { TranscriptColumns } from "../storage/stores/ports/clips.ts"
import type { Store } from "../storage/stores/ports/store.ts"
import { type Block, blocksOf } from "./blocks.ts"
import { checked, optionsOf, type RunOptions, type TopicOptions, wordsOf } from "./options.ts"

/** Seconds; `kept`: the clip had this transcript already. */
export type Transcription = {
  readonly session_id: string
  readonly words: readonly WordSpan[]
  readonly duration_s: number
  readonly language: string | null
  readonly speech_engine: string | null
  readonly whisper_model: string | null
  /** Whether voices were told apart, and whether word times are estimates; left out where the words were given. */
  readonly diarized?: boolean | null | undefined
  readonly estimated_times?: boolean | null | undefined
  /** What to know about how the transcript was made. */
  readonly transcript_notes?: readonly string[] | undefined
  readonly kept: boolean
}
export type Topics = { readonly session_id: string; readonly tree: TopicTree; readonly words: readonly WordSpan[] }

export type IngestOptions = {
  /** Forget documents of these paths whose files are gone. */
  readonly prune?: boolean
  readonly onProgress?: (progress: IngestProgress) => void
  readonly signal?: AbortSignal
}
export type QueryOptions = Omit<QueryInput, "question"> & { readonly signal?: AbortSignal }

const AFTER_WHISPER = STAGE_NAMES.filter((stage) => stage !== firstStage)
const WITHOUT_STORE = AFTER_WHISPER.filter((stage) => stage !== "persist")

type Tools = { readonly engines: Engines; readonly store: Store | null }
type Heard = { readonly columns: TranscriptColumns; readonly sessionId: string; readonly kept: boolean }

/**
 * Earmark in this process: the stages of the service without its queue, over the same store. Nothing is opened before
 * it is needed. Every method throws AppError with a sentence that says what to do.
 */
export class Earmark {
  readonly #config: Config
  readonly #log
  readonly #openSource
  #node: Promise<Node> | null = null
  #engines: Engines | null = null

  /** @param config by default the settings of the environment (`SERVICE_…`) */
  constructor(config: Config = loadConfig(process.env)) {
    this.#config = config
    // A library keeps quiet about what goes well.
    this.#log = createLogger(config.logLevel === "info" ? "warn" : config.logLevel, "sdk")
    this.#openSource = createOpenSource(sourceFolders(config, async () => (await this.#open()).blobs))
  }

  /** A recording → its words; a transcript that is kept for it stands unless `force_retranscribe`. */
  async transcribe(source: string, options: RunOptions = {}): Promise<Transcription> {
    const heard = await this.#listen(source, options)
    const { file_path: _, words, ...columns } = heard.columns
    return { session_id: heard.sessionId, words, ...columns, kept: heard.kept }
  }

  /** A recording, or with `transcription` words that it names → its topic tree. */
  async generateTopics(source: string, options: TopicOptions = {}): Promise<Topics> {
    const { columns, sessionId } = await this.#listen(source, options)
    const { engines } = await this.#tools(options)
    return this.#divide({ ...this.#request(source, options, engines), sessionId }, columns, options)
  }

  /**
   * The topics of a clip anew, from the transcript that it has. What people wrote over them stands; the tree until now
   * is kept as a run. @returns the tree that this run made
   */
  async rerunTopics(clipId: string, options: RunOptions = {}): Promise<Topics> {
    const node = await this.#open()
    const clip = await getClip(node, { id: clipId })
    const source: SourceRef = { kind: "file", path: clip.file_path ?? clip.source_url ?? clipId }
    const request = { ...this.#run({ ...options, title: clip.title }, node.engines), sessionId: clipId, source }
    return this.#divide(request, { words: clip.transcription, duration_s: clip.duration_s }, options)
  }

  async #divide(
    request: InlineRequest,
    { words, duration_s }: Pick<TranscriptColumns, "words" | "duration_s">,
    { persist }: RunOptions,
  ): Promise<Topics> {
    const { store } = await this.#tools(persist === undefined ? {} : { persist })
    const { sessionId, options } = request
    const result = await runInline({
      ...request,
      recall: async () => ({ words, duration_s }),
      stages: store ? AFTER_WHISPER : WITHOUT_STORE,
    })
    if (!result.tree) throw new Error("l0 left no tree")
    if (result.topics) await store?.topics.save(sessionId, result.topics, topicSettings.parse(options))
    return { session_id: sessionId, tree: result.tree, words }
  }

  /** Keeps words as the transcript of the clip that `source` names; the recording need not exist. */
  async persistTranscription(source: string, words: readonly WordSpan[], options: RunOptions = {}): Promise<string> {
    return (await this.#listen(source, { ...options, persist: true, transcription: words })).sessionId
  }

  /** Keeps a tree, its topics and their vectors for a clip that is known. @returns its session id */
  async persistTopics(source: string, tree: TopicTree, options: RunOptions = {}): Promise<string> {
    const { engines, store } = await this.#tools({ persist: true })
    const request = this.#request(source, options, engines)
    const { topics } = await runInline({ ...request, stages: ["persist"], state: { l0: { tree } } })
    if (!topics || !(await store?.topics.save(request.sessionId, topics)))
      throw new AppError("not_found", `unknown clip '${request.sessionId}': keep its transcript first`)
    return request.sessionId
  }

  /** The transcript in windows of `boundary_block_seconds`, as the boundary finder reads it. */
  async transcribeBlocks(source: string, options: RunOptions = {}): Promise<Block[]> {
    const { words } = await this.transcribe(source, options)
    return blocksOf(words, optionsOf(options).boundary_block_seconds)
  }

  /** Files and folders inside the roots → documents for questions; unchanged ones cost nothing. */
  async ingest(paths: readonly string[], options: IngestOptions = {}): Promise<IngestResult> {
    const { signal = new AbortController().signal, onProgress, prune = false } = options
    const request = checked(ingestRequest, { paths, prune }, "")
    return ingest(await this.#open(), request, { signal, ...(onProgress && { onProgress }) })
  }

  /** A question → an answer from the documents, the clips or both; `[n]` in it is the n-th source. */
  async query(question: string, options: QueryOptions = {}): Promise<QueryResult> {
    const { signal = new AbortController().signal, ...rest } = options
    return query(await this.#open(), checked(queryRequest, { ...rest, question }, ""), signal)
  }

  /** Ends child processes and closes the database. */
  async close(): Promise<void> {
    await this.#engines?.close()
    await (await this.#node)?.close()
  }

  async #tools({ persist = true }: Pick<RunOptions, "persist">): Promise<Tools> {
    if (!persist) {
      this.#engines ??= createEngines({ config: this.#config, log: this.#log, store: null })
      return { engines: this.#engines, store: null }
    }
    const node = await this.#open()
    return { engines: node.engines, store: requireStore(node) }
  }

  #open(): Promise<Node> {
    this.#node ??= openNode(this.#config, this.#log)
    return this.#node
  }

  #identify(source: string): Identity {
    return identify(source, { roots: this.#config.roots, cwd: process.cwd() })
  }

  #request(source: string, options: RunOptions, engines: Engines): InlineRequest {
    const { sessionId, ref } = this.#identify(source)
    return { sessionId, source: ref, ...this.#run(options, engines) }
  }

  #run(options: RunOptions, engines: Engines): Omit<InlineRequest, "sessionId" | "source"> {
    const { signal = new AbortController().signal, onProgress } = options
    return {
      options: optionsOf(options),
      engines,
      openSource: this.#openSource,
      signal,
      log: this.#log,
      ...(onProgress && { onProgress }),
    }
  }

  /** The whisper stage, and its transcript kept, so that a failure of a later stage does not cost it. */
  async #listen(source: string, options: TopicOptions): Promise<Heard> {
    const { engines, store } = await this.#tools(options)
    const request = this.#request(source, options, engines)
    let kept: TranscriptColumns | null = null
    const recall = async (id: string) => {
      const clip = request.options.force_retranscribe ? null : ((await store?.clips.get(id)) ?? null)
      // A clip whose sound holds no words has a length all the same.
      kept = clip && clip.duration_s > 0 ? { ...clip, words: clip.transcription } : null
      return kept
    }
    const given = options.transcription ? { words: wordsOf(options.transcription) } : {}
    const result = await runInline({ ...request, ...given, recall, stages: [firstStage] })
    const { sessionId } = result
    const columns = result.transcript ?? kept
    if (!columns) throw new Error("whisper left no transcript")
    if (result.transcript && store)
      await store.clips.saveTranscript(sessionId, newClip(request, result.transcript), columns)
    return { columns, sessionId, kept: result.transcript === null }
  }
}

const newClip = ({ source, options }: InlineRequest, { file_path, about, source_url }: TranscriptColumns) => ({
  title: (options.title ?? about?.title ?? defaultTitle(source)).slice(0, MAX_CLIP_TITLE_CHARS),
  source_url: source_url ?? ("url" in source ? source.url : null),
  file_path,
})
