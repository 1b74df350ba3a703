import {
  type Clip,
  type ClipList,
  type ClipPatch,
  type ClipsQuery,
  clip,
  clipList,
  type ExportFormat,
} from "../contracts/clips.ts"
import {
  type DocumentEntry,
  type DocumentList,
  type DocumentText,
  documentEntry,
  documentList,
  documentText,
  type IngestInput,
  type IngestResult,
  ingestResult,
  type QueryEvent,
  type QueryInput,
  type QueryResult,
  queryResult,
} from "../contracts/documents.ts"
import { type Feed, type FeedQuery, feed } from "../contracts/feeds.ts"
import { health, type Readiness, readiness } from "../contracts/health.ts"
import { type Installation, installation } from "../contracts/installation.ts"
import {
  type AudioJobInput,
  type JobList,
  type JobRecord,
  type JobResult,
  type JobsQuery,
  jobList,
  jobRecord,
  jobResult,
  type Submitted,
  submitted,
  type TopicSettingsInput,
} from "../contracts/jobs.ts"
import { type ModelList, modelList, type Pulling, pulling } from "../contracts/models.ts"
import { type SearchAnswer, type SearchQuery, searchAnswer } from "../contracts/search.ts"
import { type TopicDiff, type TopicDiffInput, topicDiff } from "../contracts/topic-diff.ts"
import { type ClipTopics, clipTopics, type TopicPatch } from "../contracts/topic-edits.ts"
import { type TopicRun, type TopicRunList, topicRun, topicRunList } from "../contracts/topic-runs.ts"
import { type SearchResult, searchResults, type VizData, vizData } from "../contracts/viz.ts"
import { type Waveform, waveform } from "../contracts/waveform.ts"
import { type WordEdit, type WordEdits, wordEdits } from "../contracts/word-edits.ts"
import { detailOf, EarmarkError } from "./errors.ts"
import { jobEvents } from "./events.ts"
import { queryStream } from "./query-stream.ts"
import { type ClientOptions, createTransport, readAnswer } from "./transport.ts"
import { type UploadFields, type UploadOptions, upload } from "./upload.ts"

export type { ClientOptions, UploadFields, UploadOptions }
export { EarmarkError }

type Signal = { readonly signal?: AbortSignal }

/** A map together with the tag under which the service knows this very version of it. */
export type TaggedVizData = { readonly data: VizData; readonly etag: string }

/** Every method throws EarmarkError{status, detail} for a refusal, and validates what it gives back. */
export interface EarmarkClient {
  health(options?: Signal): Promise<{ status: "ok" }>
  /** State of the parts. A service that is down (503) answers too: it does not throw for that. */
  readiness(options?: Signal): Promise<Readiness>
  submit(request: AudioJobInput, options?: Signal): Promise<Submitted>
  upload(file: Blob, fields?: UploadFields, options?: UploadOptions): Promise<Submitted>
  job(jobId: string, options?: Signal): Promise<JobRecord>
  jobs(query?: Partial<JobsQuery>, options?: Signal): Promise<JobList>
  cancel(jobId: string, options?: Signal): Promise<JobRecord>
  retry(jobId: string, options?: Signal): Promise<Submitted>
  result(jobId: string, options?: Signal): Promise<JobResult>
  /** The states of a job until it ends, the end included; reconnects by itself. */
  events(jobId: string, options?: Signal): AsyncGenerator<JobRecord>
  clip(id: string, options?: Signal): Promise<Clip>
  clips(query?: Partial<ClipsQuery>, options?: Signal): Promise<ClipList>
  /** Names are merged by speaker id; an empty name takes the name away. */
  editClip(id: string, patch: ClipPatch, options?: Signal): Promise<Clip>
  deleteClip(id: string, options?: Signal): Promise<void>
  /** The topics as people see them, and their edits, shown or not. */
  topics(id: string, options?: Signal): Promise<ClipTopics>
  /** Writes over a topic by its number ("1.2"); null takes an edit of that field away. Seconds. */
  editTopic(id: string, topic: string, patch: TopicPatch, options?: Signal): Promise<ClipTopics>
  /** Takes back all edits of a topic, those of its borders included. */
  resetTopic(id: string, topic: string, options?: Signal): Promise<ClipTopics>
  /** Takes back one edit, also one that is not shown. */
  removeTopicEdit(id: string, edit: string, options?: Signal): Promise<ClipTopics>
  /** Makes the topics anew from the transcript that is there; a job as any other. */
  rerunTopics(id: string, settings?: TopicSettingsInput, options?: Signal): Promise<Submitted>
  topicRuns(id: string, options?: Signal): Promise<TopicRunList>
  topicRun(id: string, run: string, options?: Signal): Promise<TopicRun>
  /** What became of borders and titles from run `a` to run `b`; `shown` stands for what people see. */
  diffTopics(id: string, query: TopicDiffInput, options?: Signal): Promise<TopicDiff>
  /** Address of the recording, for an audio element; it answers ranges. */
  audioUrl(id: string): string
  /** Address that saves the clip as a file. */
  exportUrl(id: string, format: ExportFormat): string
  exportClip(id: string, format: ExportFormat, options?: Signal): Promise<string>
  /** How loud the recording is. Throws 404 where the clip has none. */
  waveform(id: string, options?: Signal): Promise<Waveform>
  wordEdits(id: string, options?: Signal): Promise<WordEdits>
  /** Corrects the transcript; what is given back are the numbers by which it can be taken back. */
  editWords(id: string, edits: readonly WordEdit[], options?: Signal): Promise<WordEdits>
  dropWordEdit(id: string, edit: number, options?: Signal): Promise<void>
  /** Titles, topics and spoken words. */
  search(query: Pick<SearchQuery, "q"> & Partial<SearchQuery>, options?: Signal): Promise<SearchAnswer>
  documents(options?: Signal): Promise<DocumentList>
  document(id: string, options?: Signal): Promise<DocumentText>
  addDocument(file: Blob, options?: Omit<UploadOptions, "onProgress">): Promise<DocumentEntry>
  removeDocument(id: string, options?: Signal): Promise<void>
  installation(options?: Signal): Promise<Installation>
  /** The episodes of a podcast; `submit` takes an episode's `url` as source. */
  feed(query: Pick<FeedQuery, "url"> & Partial<FeedQuery>, options?: Signal): Promise<Feed>
  /** Models for hearing, and how far one is that is being fetched. */
  models(options?: Signal): Promise<ModelList>
  /** Begins to fetch a model. */
  pullModel(name: string, options?: Signal): Promise<Pulling>
  /** Takes a model off the service's machine. */
  removeModel(name: string, options?: Signal): Promise<void>
  ingest(request: IngestInput, options?: Signal): Promise<IngestResult>
  query(request: QueryInput, options?: Signal): Promise<QueryResult>
  /** The same piece by piece: `sources`, `delta`…, `done`. Throws EarmarkError when the answer breaks off. */
  queryStream(request: QueryInput, options?: Signal): AsyncGenerator<Exclude<QueryEvent, { event: "error" }>>
  /** Null: nothing has changed since `etag`. */
  vizData(p?: { threshold?: number; etag?: string } & Signal): Promise<TaggedVizData | null>
  vizSearch(p: { q: string; topK?: number } & Signal): Promise<SearchResult[]>
}

const of = (id: string): string => encodeURIComponent(id)

/** A typed client of the HTTP interface, for browsers and Node. */
export const createClient = (options: ClientOptions = {}): EarmarkClient => {
  const transport = createTransport(options)
  const { json, send, text } = transport
  const post = (body: unknown, o: Signal | undefined) => ({
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
    signal: o?.signal,
  })
  return {
    health: (o) => json(health, "/health", { signal: o?.signal }),
    readiness: async (o) => {
      const response = await send("/health/ready", { signal: o?.signal })
      const status = response.status === 503 ? 200 : response.status
      return readAnswer(readiness, status, await response.text())
    },
    submit: (request, o) => json(submitted, "/jobs/audio", post(request, o)),
    upload: (file, fields = {}, o = {}) => upload(transport, file, fields, o),
    job: (id, o) => json(jobRecord, `/jobs/${of(id)}`, { signal: o?.signal }),
    jobs: (query, o) => json(jobList, "/jobs", { query: { ...query }, signal: o?.signal }),
    cancel: (id, o) => json(jobRecord, `/jobs/${of(id)}`, { method: "DELETE", signal: o?.signal }),
    retry: (id, o) => json(submitted, `/jobs/${of(id)}/retry`, { method: "POST", signal: o?.signal }),
    result: (id, o) => json(jobResult, `/jobs/${of(id)}/result`, { signal: o?.signal }),
    events: (id, o) => jobEvents(transport, id, o?.signal),
    clip: (id, o) => json(clip, `/clips/${of(id)}`, { signal: o?.signal }),
    clips: (query, o) => json(clipList, "/clips", { query: { ...query }, signal: o?.signal }),
    editClip: (id, patch, o) =>
      json(clip, `/clips/${of(id)}`, {
        method: "PATCH",
        body: JSON.stringify(patch),
        headers: { "content-type": "application/json" },
        signal: o?.signal,
      }),
    topics: (id, o) => json(clipTopics, `/clips/${of(id)}/topics`, { signal: o?.signal }),
    editTopic: (id, topic, patch, o) =>
      json(clipTopics, `/clips/${of(id)}/topics/${of(topic)}`, { ...post(patch, o), method: "PATCH" }),
    resetTopic: (id, topic, o) =>
      json(clipTopics, `/clips/${of(id)}/topics/${of(topic)}`, { method: "DELETE", signal: o?.signal }),
    removeTopicEdit: (id, edit, o) =>
      json(clipTopics, `/clips/${of(id)}/topic-edits/${of(edit)}`, { method: "DELETE", signal: o?.signal }),
    rerunTopics: (id, settings = {}, o) => json(submitted, `/clips/${of(id)}/topics`, post(settings, o)),
    topicRuns: (id, o) => json(topicRunList, `/clips/${of(id)}/runs`, { signal: o?.signal }),
    topicRun: (id, run, o) => json(topicRun, `/clips/${of(id)}/runs/${of(run)}`, { signal: o?.signal }),
    diffTopics: (id, query, o) =>
      json(topicDiff, `/clips/${of(id)}/diff`, {
        query: { a: query.a, b: query.b, tolerance_s: query.tolerance_s as number | undefined },
        signal: o?.signal,
      }),
    deleteClip: async (id, o) => void (await text(`/clips/${of(id)}`, { method: "DELETE", signal: o?.signal })),
    audioUrl: (id) => transport.url(`/clips/${of(id)}/audio`),
    exportUrl: (id, format) => transport.url(`/clips/${of(id)}/export`, { format }),
    exportClip: (id, format, o) =>
      text(`/clips/${of(id)}/export`, { query: { format }, headers: { accept: "*/*" }, signal: o?.signal }),
    waveform: (id, o) => json(waveform, `/clips/${of(id)}/waveform`, { signal: o?.signal }),
    wordEdits: (id, o) => json(wordEdits, `/clips/${of(id)}/edits`, { signal: o?.signal }),
    editWords: (id, edits, o) => json(wordEdits, `/clips/${of(id)}/edits`, post({ edits }, o)),
    dropWordEdit: async (id, edit, o) =>
      void (await text(`/clips/${of(id)}/edits/${edit}`, { method: "DELETE", signal: o?.signal })),
    search: (query, o) => json(searchAnswer, "/search", { query: { ...query }, signal: o?.signal }),
    documents: (o) => json(documentList, "/documents", { signal: o?.signal }),
    document: (id, o) => json(documentText, `/documents/${of(id)}`, { signal: o?.signal }),
    addDocument: (file, o = {}) => {
      const form = new FormData()
      form.set("file", file, o.filename ?? (file instanceof File ? file.name : "document.txt"))
      return json(documentEntry, "/documents", { method: "POST", body: form, signal: o.signal })
    },
    removeDocument: async (id, o) => void (await text(`/documents/${of(id)}`, { method: "DELETE", signal: o?.signal })),
    feed: (query, o) => json(feed, "/feeds", { query: { ...query }, signal: o?.signal }),
    models: (o) => json(modelList, "/models", { signal: o?.signal }),
    pullModel: (name, o) => json(pulling, `/models/${of(name)}/pull`, { method: "POST", signal: o?.signal }),
    removeModel: async (name, o) => void (await text(`/models/${of(name)}`, { method: "DELETE", signal: o?.signal })),
    installation: (o) => json(installation, "/installation", { signal: o?.signal }),
    ingest: (request, o) => json(ingestResult, "/ingest", post(request, o)),
    query: (request, o) => json(queryResult, "/query", post(request, o)),
    queryStream: (request, o) => queryStream(transport, request, o?.signal),
    vizData: async (p = {}) => {
      const response = await send("/viz/data", {
        query: { distance_threshold: p.threshold },
        headers: p.etag === undefined ? {} : { "if-none-match": p.etag },
        signal: p.signal,
      })
      if (response.status === 304) return null
      const text = await response.text()
      if (!response.ok) throw new EarmarkError(response.status, detailOf(response.status, text))
      return { data: readAnswer(vizData, response.status, text), etag: response.headers.get("etag") ?? "" }
    },
    vizSearch: (p) => json(searchResults, "/viz/search", { query: { q: p.q, top_k: p.topK }, signal: p.signal }),
  }
}
