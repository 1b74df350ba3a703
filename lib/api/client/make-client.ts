import { detailOf, EarmarkError } from "./errors.ts"
import { jobEvents } from "./events.ts"
import { queryStream } from "./query-stream.ts"
import { type Check, type ClientOptions, createTransport } from "./transport.ts"
import type { EarmarkClient, Signal } from "./types.ts"
import { upload } from "./upload.ts"

const of = (id: string): string => encodeURIComponent(id)

/** The calls of the HTTP interface. `check` sees what comes back before the caller does. */
export const makeClient = (options: ClientOptions, check: Check): EarmarkClient => {
  const transport = createTransport(options, check)
  const { json, read, send, text } = transport
  const post = (body: unknown, o: Signal | undefined) => ({
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
    signal: o?.signal,
  })
  return {
    health: (o) => json("health", "/health", { signal: o?.signal }),
    readiness: async (o) => {
      const response = await send("/health/ready", { signal: o?.signal })
      const status = response.status === 503 ? 200 : response.status
      return read("readiness", status, await response.text())
    },
    submit: (request, o) => json("submitted", "/jobs/audio", post(request, o)),
    upload: (file, fields = {}, o = {}) => upload(transport, file, fields, o),
    job: (id, o) => json("jobRecord", `/jobs/${of(id)}`, { signal: o?.signal }),
    jobs: (query, o) => json("jobList", "/jobs", { query: { ...query }, signal: o?.signal }),
    cancel: (id, o) => json("jobRecord", `/jobs/${of(id)}`, { method: "DELETE", signal: o?.signal }),
    retry: (id, o) => json("submitted", `/jobs/${of(id)}/retry`, { method: "POST", signal: o?.signal }),
    result: (id, o) => json("jobResult", `/jobs/${of(id)}/result`, { signal: o?.signal }),
    events: (id, o) => jobEvents(transport, id, o?.signal),
    clip: (id, o) => json("clip", `/clips/${of(id)}`, { signal: o?.signal }),
    clips: (query, o) => json("clipList", "/clips", { query: { ...query }, signal: o?.signal }),
    editClip: (id, patch, o) =>
      json("clip", `/clips/${of(id)}`, {
        method: "PATCH",
        body: JSON.stringify(patch),
        headers: { "content-type": "application/json" },
        signal: o?.signal,
      }),
    topics: (id, o) => json("clipTopics", `/clips/${of(id)}/topics`, { signal: o?.signal }),
    editTopic: (id, topic, patch, o) =>
      json("clipTopics", `/clips/${of(id)}/topics/${of(topic)}`, { ...post(patch, o), method: "PATCH" }),
    resetTopic: (id, topic, o) =>
      json("clipTopics", `/clips/${of(id)}/topics/${of(topic)}`, { method: "DELETE", signal: o?.signal }),
    removeTopicEdit: (id, edit, o) =>
      json("clipTopics", `/clips/${of(id)}/topic-edits/${of(edit)}`, { method: "DELETE", signal: o?.signal }),
    rerunTopics: (id, settings = {}, o) => json("submitted", `/clips/${of(id)}/topics`, post(settings, o)),
    retranscribe: (id, settings = {}, o) => json("submitted", `/clips/${of(id)}/transcript`, post(settings, o)),
    topicRuns: (id, o) => json("topicRunList", `/clips/${of(id)}/runs`, { signal: o?.signal }),
    topicRun: (id, run, o) => json("topicRun", `/clips/${of(id)}/runs/${of(run)}`, { signal: o?.signal }),
    diffTopics: (id, query, o) =>
      json("topicDiff", `/clips/${of(id)}/diff`, {
        query: { a: query.a, b: query.b, tolerance_s: query.tolerance_s as number | undefined },
        signal: o?.signal,
      }),
    deleteClip: async (id, o) => void (await text(`/clips/${of(id)}`, { method: "DELETE", signal: o?.signal })),
    audioUrl: (id) => transport.url(`/clips/${of(id)}/audio`),
    exportUrl: (id, format) => transport.url(`/clips/${of(id)}/export`, { format }),
    exportClip: (id, format, o) =>
      text(`/clips/${of(id)}/export`, { query: { format }, headers: { accept: "*/*" }, signal: o?.signal }),
    waveform: (id, o) => json("waveform", `/clips/${of(id)}/waveform`, { signal: o?.signal }),
    wordEdits: (id, o) => json("wordEdits", `/clips/${of(id)}/edits`, { signal: o?.signal }),
    editWords: (id, edits, o) => json("wordEdits", `/clips/${of(id)}/edits`, post({ edits }, o)),
    dropWordEdit: async (id, edit, o) =>
      void (await text(`/clips/${of(id)}/edits/${edit}`, { method: "DELETE", signal: o?.signal })),
    search: (query, o) => json("searchAnswer", "/search", { query: { ...query }, signal: o?.signal }),
    documents: (o) => json("documentList", "/documents", { signal: o?.signal }),
    document: (id, o) => json("documentText", `/documents/${of(id)}`, { signal: o?.signal }),
    documentFileUrl: (id) => transport.url(`/documents/${of(id)}/file`),
    addDocument: (file, o = {}) => {
      const form = new FormData()
      form.set("file", file, o.filename ?? (file instanceof File ? file.name : "document.txt"))
      return json("documentEntry", "/documents", { method: "POST", body: form, signal: o.signal })
    },
    removeDocument: async (id, o) => void (await text(`/documents/${of(id)}`, { method: "DELETE", signal: o?.signal })),
    feed: (query, o) => json("feed", "/feeds", { query: { ...query }, signal: o?.signal }),
    models: (o) => json("modelList", "/models", { signal: o?.signal }),
    pullModel: (name, o) => json("pulling", `/models/${of(name)}/pull`, { method: "POST", signal: o?.signal }),
    removeModel: async (name, o) => void (await text(`/models/${of(name)}`, { method: "DELETE", signal: o?.signal })),
    installation: (o) => json("installation", "/installation", { signal: o?.signal }),
    ingest: (request, o) => json("ingestResult", "/ingest", post(request, o)),
    query: (request, o) => json("queryResult", "/query", post(request, o)),
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
      return { data: read("vizData", response.status, text), etag: response.headers.get("etag") ?? "" }
    },
    vizSearch: (p) => json("searchResults", "/viz/search", { query: { q: p.q, top_k: p.topK }, signal: p.signal }),
  }
}
