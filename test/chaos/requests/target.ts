import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { newId } from "#lib/domain/ids.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { ingest } from "#lib/services/documents/ingest.ts"
import { finish, newJob } from "#lib/storage/stores/testing/fixtures.ts"
import type { Library } from "../random/library.ts"
import type { Operation } from "./openapi.ts"
import type { Specials } from "./values.ts"

/** How many requests are sent before the IDs of what exists are read again. */
const REFRESH_EVERY = 20
const MIN_CLIPS = 3
/** How many tokens and webhooks are kept. Requests create more, up to the limit, and each webhook records every event. */
const KEPT = 3
const UPLOAD_BYTES = 1000
const LIFETIME_MS = 3_600_000

const wav = (samples: number): Buffer => {
  const head = Buffer.from(
    "RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\0\0\0\0",
    "latin1",
  )
  head.writeUInt32LE(36 + samples * 2, 4)
  head.writeUInt32LE(samples * 2, 40)
  return Buffer.concat([head, Buffer.alloc(samples * 2)])
}

type Ids = Record<
  "clips" | "jobs" | "documents" | "runs" | "edits" | "cursors" | "uploads" | "tokens" | "webhooks" | "deliveries",
  string[]
>

/** Messages that the MCP server answers. */
const MCP_MESSAGES = [
  ["initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "requests", version: "1" } }],
  ["tools/list", {}],
  ["tools/call", { name: "search_recordings", arguments: { query: "one" } }],
  ["tools/call", { name: "get_outline", arguments: { clip_id: "nobody" } }],
  ["resources/list", {}],
  ["prompts/get", { name: "absent" }],
].map(([method, params], id) => ({ jsonrpc: "2.0", id, method, params }))

/** An installation that generated requests are sent to. It is filled again when requests have deleted what was there. */
export const createTarget = ({ deps, folder }: Library) => {
  const { store, index } = deps
  const recordings = join(folder, "recordings")
  mkdirSync(recordings, { recursive: true })
  writeFileSync(join(folder, "bees.md"), "# Bees\n\nThe waggle dance encodes direction and distance.\n")
  const ids: Ids = {
    clips: [],
    jobs: [],
    documents: [],
    runs: [],
    edits: [],
    cursors: [],
    uploads: [],
    tokens: [],
    webhooks: [],
    deliveries: [],
  }
  let sent = 0

  const addRecording = async (): Promise<void> => {
    const path = join(recordings, `${Date.now()}-${Math.random()}.wav`)
    writeFileSync(path, wav(800))
    const { job_id } = await store.jobs.submit(newJob({ source: { kind: "file", path } }))
    await finish(store, job_id, ...STAGE_NAMES)
  }

  const refreshUploads = async (): Promise<void> => {
    const known = await Promise.all(ids.uploads.map((id) => store.resumableUploads.get(id)))
    ids.uploads = known.flatMap((upload) => (upload && upload.offset < upload.size ? [upload.id] : []))
    while (ids.uploads.length < KEPT) {
      const upload = { id: newId(), name: "talk.wav", metadata: "filename dGFsay53YXY=", size: UPLOAD_BYTES }
      ids.uploads.push((await store.resumableUploads.create(upload, { lifetimeMs: LIFETIME_MS })).id)
    }
  }

  const refreshTokens = async (): Promise<void> => {
    const stored = await store.tokens.list()
    for (const { id } of stored.slice(KEPT)) await store.tokens.revoke(id)
    ids.tokens = stored.slice(0, KEPT).map(({ id }) => id)
    while (ids.tokens.length < KEPT) {
      const token = { id: newId(), name: "generated", hash: newId(), scopes: ["read"] as const, expiresAt: null }
      ids.tokens.push((await store.tokens.create(token)).id)
    }
  }

  const refreshWebhooks = async (): Promise<void> => {
    const stored = await store.webhooks.list({})
    for (const { id } of stored.slice(KEPT)) await store.webhooks.delete(id)
    ids.webhooks = stored.slice(0, KEPT).map(({ id }) => id)
    while (ids.webhooks.length < KEPT) {
      const events = ["job.done", "clip.updated", "clip.deleted"] as const
      const webhook = { id: newId(), url: "https://app.invalid/hook", events, description: "", secret: "whsec_AAAA" }
      ids.webhooks.push((await store.webhooks.create(webhook)).id)
    }
    const pages = await Promise.all(ids.webhooks.map((id) => store.webhooks.listDeliveries(id, { limit: 5 })))
    ids.deliveries = pages.flatMap((page) => page?.deliveries.map(({ id }) => id) ?? [])
    // A new title is an event.
    if (ids.deliveries.length === 0) await store.clips.update(ids.clips[0]!, { title: `Talk ${sent}` })
  }

  const refreshDocuments = async (): Promise<void> => {
    if ((await index.listFiles()).length === 0)
      await ingest(deps, { paths: [folder], prune: false }, { signal: AbortSignal.timeout(LIFETIME_MS) })
    ids.documents = (await index.listFiles()).slice(0, 20).map(({ id }) => id)
  }

  /** The service is ready only while a worker runs each stage. */
  const refreshWorker = (): Promise<void> =>
    store.installation.recordHeartbeat({
      id: "worker",
      host: "host",
      pid: 1,
      version: null,
      stages: STAGE_NAMES,
      started_at: Date.now(),
      active_at: null,
    })

  const refresh = async (): Promise<void> => {
    await refreshWorker()
    await refreshUploads()
    await refreshTokens()
    await refreshDocuments()
    for (let missing = MIN_CLIPS - (await store.clips.list({ limit: 200 })).clips.length; missing > 0; missing--)
      await addRecording()
    const { clips } = await store.clips.list({ limit: 20 })
    const { jobs, next_cursor } = await store.jobs.list({ limit: 20 })
    ids.clips = clips.map(({ id }) => id)
    await refreshWebhooks()
    ids.jobs = jobs.map(({ job_id }) => job_id)
    const { jobs: done } = await store.jobs.list({ limit: 5, status: "done" })
    ids.jobs.push(...done.map(({ job_id }) => job_id))
    ids.cursors = next_cursor === undefined ? ["x"] : [next_cursor]
    const [clip] = ids.clips
    ids.runs = ((await store.topics.listRuns(clip!)) ?? []).map(({ id }) => id)
    ids.edits = ((await store.topics.get(clip!))?.edits ?? []).map(({ id }) => id)
  }

  const nonEmpty = (values: readonly string[]): readonly unknown[] => (values.length > 0 ? values : ["none"])
  const shared: Specials = {
    job_id: () => nonEmpty(ids.jobs),
    clip_id: () => nonEmpty(ids.clips),
    a: () => nonEmpty(ids.runs),
    b: () => ["shown", ...ids.runs],
    run: () => nonEmpty(ids.runs),
    edit: () => nonEmpty(ids.edits),
    edit_id: () => [1, 2, 3, 4],
    topic: () => ["1", "1.1", "1.2", "1.1.1", "1.9"],
    cursor: () => nonEmpty(ids.cursors),
    transcription: () => [
      [{ word: "Hello", start: 0, end: 0.5, speaker: "0" }],
      "1\n00:00:00,000 --> 00:00:01,000\nHello\n",
    ],
    name: () => ["whisper-tiny", "whisper-base", "absent"],
    url: () => ["http://127.0.0.1:1/feed", "ftp://example.org/feed", "https://feed.invalid/rss"],
    q: () => ["one", "two three", "dance"],
    question: () => ["What does the waggle dance encode?", "one two"],
    paths: () => [[folder], [join(folder, "bees.md")], [join(folder, "nothing.md")], ["/etc/passwd"]],
    source: () => ["name:crm-17", join(recordings, "nothing.wav"), "https://recording.invalid/a.mp3", "/etc/passwd"],
    path: () => ["manifest.json", "nothing.svg", "../x"],
    language: () => ["en", "de", ""],
    created_after: () => ["2026-01-01", "2026-11-23T12:00:00Z"],
    created_before: () => ["2027-01-01", "2026-11-23T12:00:00+01:00"],
    webhook_url: () => ["https://app.example/hook"],
    webhook_secret: () => ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="],
    delivery_id: () => nonEmpty(ids.deliveries),
    "Upload-Offset": () => ["0", "0", "0", String(UPLOAD_BYTES)],
    "Upload-Length": () => ["18", String(UPLOAD_BYTES)],
  }

  /** The IDs that `id` stands for in the path of an operation. */
  const idsOf = (path: string): readonly string[] => {
    if (path.startsWith("/documents")) return ids.documents
    if (path.startsWith("/uploads")) return ids.uploads
    if (path.startsWith("/tokens")) return ids.tokens
    if (path.startsWith("/webhooks")) return ids.webhooks
    // The topic runs and edits are those of the first clip.
    return [...ids.clips.slice(0, 1), ...ids.clips]
  }

  return {
    /** Returns values for the fields of an operation that refer to what exists. */
    specialsOf: ({ path }: Operation): Specials => ({
      ...shared,
      ...(path === "/clips/{id}" && { speakers: () => [{ "0": "Ada" }] }),
      ...(path === "/mcp" && { "(body)": () => MCP_MESSAGES }),
      id: () => nonEmpty(idsOf(path)),
    }),
    /** Called before each request. */
    prepare: async (): Promise<void> => {
      if (sent++ % REFRESH_EVERY === 0) await refresh()
    },
  }
}
