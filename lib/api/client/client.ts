import type { ZodType, z } from "zod"
import type { ExportFormat, TextExportFormat } from "../../domain/clips.ts"
import type { JobRecord } from "../../domain/jobs/jobs.ts"
import type { SearchResult, VizData } from "../../domain/map.ts"
import type { WordEdit } from "../../domain/transcript/word-edits.ts"
import type { QueryInput } from "../documents.ts"
import type { EndpointId, EndpointTable } from "../table.ts"
import type { CreateOptions, EditOptions, Signal } from "./call-options.ts"
import { type ConvenienceMethods, createConvenienceMethods } from "./convenience.ts"
import { errorOf } from "./errors.ts"
import type { FieldOf, FieldsOption, Selected, SelectingId } from "./fields.ts"
import { ROUTES, type Route } from "./routes.ts"
import { type AnswerEvent, jobEvents, queryStream } from "./streams.ts"
import {
  type Checks,
  type ClientOptions,
  createTransport,
  type QueryOf,
  type ResponseOf,
  type Transport,
} from "./transport.ts"
import { fileForm, fileName, type UploadFields, type UploadOptions, upload } from "./upload.ts"

/** The map and the ETag of this version of it. */
export type TaggedVizData = { readonly data: VizData; readonly etag: string }
type SelectedVizData<F extends keyof VizData> = { readonly data: Pick<VizData, F>; readonly etag: string }
type VizDataOptions = { threshold?: number; etag?: string } & Signal

/** What a file contains besides the recording: its audio (html), highlights and notes, and summaries. */
type ExportContents = { withAudio?: boolean; withNotes?: boolean; withSummaries?: boolean }
export type ExportFileOptions = ExportContents & Signal

const toExportQuery = (format: ExportFormat, { withAudio, withNotes, withSummaries }: ExportContents = {}) => ({
  format,
  with_audio: withAudio,
  with_notes: withNotes,
  with_summaries: withSummaries,
})

/** The methods whose signature differs from that of the endpoint. */
interface SpecialMethods {
  /** Returns the state of each component. Does not throw if the service answers 503. */
  readiness(options?: Signal): Promise<ResponseOf<"readiness">>
  /** Returns a job. With `wait`, returns when it ends, but at the latest after that many seconds (up to 60). */
  job(jobId: string, options?: { wait?: number } & Signal): Promise<ResponseOf<"getJob">>
  /** Uploads a recording. */
  upload(file: Blob, fields?: UploadFields, options?: UploadOptions): Promise<ResponseOf<"submitJob">>
  /** Yields the states of a job until it ends, the final state included. Reconnects after a lost connection. */
  events(jobId: string, options?: Signal): AsyncGenerator<JobRecord>
  /** Returns the URL of the recording, for an audio element. It supports range requests. */
  audioUrl(id: string): string
  /** Returns the URL that downloads the clip as a file. */
  exportUrl(id: string, format: ExportFormat, options?: ExportContents): string
  /** Returns the URL that downloads several clips as one zip file. */
  exportClipsUrl(query: QueryOf<EndpointTable["exportClips"]["query"]>): string
  /** Returns the clip in a text format. */
  exportClip(id: string, format: TextExportFormat, options?: Signal): Promise<string>
  /** Returns the clip as a file in any format. With `withAudio`, a page of format `html` contains the recording. */
  exportFile(id: string, format: ExportFormat, options?: ExportFileOptions): Promise<Uint8Array>
  /** Returns the URL that downloads everything of a clip as one zip file. */
  archiveUrl(id: string): string
  /** Returns the URL that downloads highlights and notes as Markdown or JSON. */
  exportNotesUrl(query?: QueryOf<EndpointTable["exportNotes"]["query"]>): string
  /** Returns the URL of a part of the recording as MP3, for an audio element or a download. Times are in seconds. */
  audioExcerptUrl(id: string, range: { start_s: number; end_s: number }): string
  editWords(
    id: string,
    edits: readonly WordEdit[],
    options?: CreateOptions & EditOptions,
  ): Promise<ResponseOf<"editWords">>
  /** Returns the URL of the document's file. Append `#page=3` to open a PDF at that page. */
  documentFileUrl(id: string): string
  addDocument(file: Blob, options?: Omit<UploadOptions, "onProgress">): Promise<ResponseOf<"addDocument">>
  /** Yields an answer while it is written. Throws EarmarkError if the answer breaks off. */
  queryStream(request: QueryInput, options?: Signal): AsyncGenerator<AnswerEvent>
  /** Returns null if the map has not changed since `etag`. */
  vizData(options?: VizDataOptions): Promise<TaggedVizData | null>
  vizData<F extends keyof VizData>(options: VizDataOptions & FieldsOption<F>): Promise<SelectedVizData<F> | null>
  vizSearch(options: { q: string; topK?: number } & Signal): Promise<SearchResult[]>
}

type IsEdit<E> = E extends { method: "GET" } ? false : E extends { isVersioned: true } ? true : false

type TakesKey<E> = E extends { withoutKey: true } | { hasSecret: true }
  ? false
  : E extends { method: "POST" }
    ? true
    : false

type OptionsOf<E> =
  TakesKey<E> extends true
    ? IsEdit<E> extends true
      ? CreateOptions & EditOptions
      : CreateOptions
    : IsEdit<E> extends true
      ? EditOptions
      : Signal

type PathArguments<Path extends string, Params> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [id: Name extends keyof Params ? Params[Name] : never, ...PathArguments<Rest, Params>]
  : []

type OptionalIfEmpty<T> = Record<never, never> extends T ? [input?: T] : [input: T]

type InputArguments<E> = E extends { body: { schema: infer S extends ZodType } }
  ? OptionalIfEmpty<z.input<S>>
  : E extends { query: infer S extends ZodType }
    ? OptionalIfEmpty<QueryOf<S>>
    : []

type ParamsOf<E> = E extends { params: infer S extends ZodType } ? z.output<S> : never

type ArgumentsOf<K extends EndpointId> = [
  ...PathArguments<EndpointTable[K]["path"], ParamsOf<EndpointTable[K]>>,
  ...InputArguments<EndpointTable[K]>,
]

type MethodOf<K extends EndpointId> = (
  ...args: [...ArgumentsOf<K>, options?: OptionsOf<EndpointTable[K]>]
) => Promise<EndpointTable[K] extends { status: 204 } ? void : ResponseOf<K>>

/** A second signature of a method, with the option `fields`. */
type SelectingMethodOf<K extends EndpointId> = K extends SelectingId
  ? <F extends FieldOf<K>>(
      ...args: [...ArgumentsOf<K>, options: OptionsOf<EndpointTable[K]> & FieldsOption<F>]
    ) => Promise<Selected<K, F>>
  : unknown

type CallName<K extends EndpointId> = EndpointTable[K] extends { call: infer Call extends string } ? Call : never

type CompleteMethods = { [K in EndpointId as CallName<K>]: MethodOf<K> }

type DerivedMethods = { [K in EndpointId as CallName<K>]: MethodOf<K> & SelectingMethodOf<K> }

/** The methods of the client without the option `fields`, so that each response is complete. */
export interface CompleteCalls extends Omit<CompleteMethods, keyof SpecialMethods>, SpecialMethods {}

/**
 * A typed client of the HTTP API. Methods take the path parameters, then the body or query, then options with a
 * `signal`. They throw EarmarkError for an error response.
 */
export interface EarmarkClient extends Omit<DerivedMethods, keyof SpecialMethods>, SpecialMethods, ConvenienceMethods {}

/** Returns the method of an endpoint that takes path parameters, then a body or query, then options. */
const deriveMethod =
  ({ json }: Transport, id: EndpointId, { path, input }: Route) =>
  (...args: unknown[]): Promise<unknown> => {
    const params = args.splice(0, path.split("{").length - 1).map(String)
    const given = input && args.shift()
    const [options] = args as [(CreateOptions & EditOptions & Partial<FieldsOption<string>>)?]
    return json(id, {
      params,
      ...(input === "body" && { body: given ?? {} }),
      ...(input === "query" && { query: given as object | undefined }),
      idempotencyKey: options?.idempotencyKey,
      ifMatch: options?.ifMatch,
      fields: options?.fields,
      signal: options?.signal,
    })
  }

/** Creates a client that passes every response to `checks`. */
export const makeClient = (
  options: ClientOptions,
  checks: Checks,
  { repeatsReads = true }: { readonly repeatsReads?: boolean } = {},
): EarmarkClient => {
  const transport = createTransport(options, checks, repeatsReads)
  const { json, read, send, text, url } = transport
  const derived = Object.entries<Route>(ROUTES).flatMap(([id, route]) =>
    route.call ? [[route.call, deriveMethod(transport, id as EndpointId, route)]] : [],
  )
  const special: SpecialMethods = {
    readiness: async (o) => {
      const response = await send("readiness", { signal: o?.signal })
      const { status, headers } = response
      return read("readiness", { status: status === 503 ? 200 : status, headers }, await response.text())
    },
    job: (jobId, o) => json("getJob", { params: [jobId], query: { wait: o?.wait }, signal: o?.signal }),
    upload: (file, fields = {}, o = {}) => upload(transport, file, fields, o),
    events: (jobId, o) => jobEvents(transport, jobId, o?.signal),
    audioUrl: (id) => url("clipAudio", { params: [id] }),
    exportUrl: (id, format, o) => url("exportClip", { params: [id], query: toExportQuery(format, o) }),
    exportClipsUrl: (query) => url("exportClips", { query }),
    exportClip: (id, format, o) =>
      text("exportClip", { params: [id], query: { format }, headers: { accept: "*/*" }, signal: o?.signal }),
    exportFile: async (id, format, o = {}) => {
      const query = toExportQuery(format, o)
      const response = await send("exportClip", { params: [id], query, headers: { accept: "*/*" }, signal: o.signal })
      if (!response.ok) throw errorOf(response, await response.text())
      return new Uint8Array(await response.arrayBuffer())
    },
    archiveUrl: (id) => url("clipArchive", { params: [id] }),
    exportNotesUrl: (query) => url("exportNotes", { query }),
    audioExcerptUrl: (id, range) => url("audioExcerpt", { params: [id], query: range }),
    editWords: (id, edits, o) => json("editWords", { ...o, params: [id], body: { edits } }),
    documentFileUrl: (id) => url("documentFile", { params: [id] }),
    addDocument: (file, o = {}) =>
      json("addDocument", {
        body: fileForm(file, o.filename ?? fileName(file, "document.txt")),
        idempotencyKey: o.idempotencyKey,
        signal: o.signal,
      }),
    queryStream: (request, o) => queryStream(transport, request, o?.signal),
    vizData: async (o: VizDataOptions & Partial<FieldsOption<keyof VizData>> = {}) => {
      const response = await send("vizData", {
        query: { distance_threshold: o.threshold },
        fields: o.fields,
        headers: o.etag === undefined ? {} : { "if-none-match": o.etag },
        signal: o.signal,
      })
      if (response.status === 304) return null
      const body = await response.text()
      if (!response.ok) throw errorOf(response, body)
      return { data: read("vizData", response, body, o.fields), etag: response.headers.get("etag") ?? "" }
    },
    vizSearch: (o) => json("vizSearch", { query: { q: o.q, top_k: o.topK }, signal: o.signal }),
  }
  const client = { ...(Object.fromEntries(derived) as DerivedMethods), ...special }
  return { ...client, ...createConvenienceMethods(client) }
}
