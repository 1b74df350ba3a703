import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { EarmarkError } from "../api/client/errors.ts"
import type { Scope } from "../domain/tokens.ts"
import { loadConfig } from "../platform/config/config.ts"
import { createLogger } from "../platform/logger.ts"
import { Earmark } from "../sdk/index.ts"
import { type Node, openNode } from "../services/installation/open-node.ts"
import { createLocalApi } from "../services/local-api.ts"
import { answerMcpRequest } from "./http.ts"

const dir = mkdtempSync(join(tmpdir(), "earmark-mcp-"))
let node: Node
let clipId: string
let client: Client

const SENTENCES = [
  "The hull of the boat is of oak.",
  "Its mast is of spruce and the sails are of linen.",
  "In the winter the bees gather around the queen.",
  "A comet has a tail of gas and dust.",
]
const transcription = SENTENCES.flatMap((sentence, i) =>
  sentence.split(" ").map((word, j) => ({ word, start: i * 100 + j, end: i * 100 + j + 1, speaker: String(i % 2) })),
)

/** Connects a client that talks to the HTTP handler directly. @param mode the protocol revision it speaks */
const connect = async (mode: "legacy" | { pin: string }, scopes: Scope[] = ["write"]): Promise<Client> => {
  const connected = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } })
  const send = async (url: string | URL, init?: RequestInit) => {
    const request = new Request(url, init)
    if (request.method !== "POST") return new Response(null, { status: 405 })
    return answerMcpRequest(node, { request, message: await request.clone().json(), scopes })
  }
  await connected.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch: send }))
  return connected
}

const call = async (name: string, args: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: args })
  const [content] = result.content as { type: string; text: string }[]
  return {
    text: content!.text,
    data: result.structuredContent as Record<string, unknown>,
    isError: result.isError ?? false,
  }
}

beforeAll(async () => {
  const env = {
    SERVICE_DATA_DIR: dir,
    SERVICE_INGEST_ROOTS: dir,
    SERVICE_PROVIDER: "builtin",
    SERVICE_MODELS_OFFLINE: "true",
  }
  const earmark = new Earmark(loadConfig(env))
  const done = await earmark.generateTopics("name:boats", { transcription, title: "Boats and bees" })
  await earmark.close()
  clipId = done.session_id
  node = await openNode(loadConfig(env), createLogger("silent", "test"))
  client = await connect({ pin: "2026-07-28" })
}, 60_000)
afterAll(async () => {
  await client.close()
  await node.close()
  rmSync(dir, { recursive: true })
})

describe("the tools", () => {
  it("have schemas and annotations", async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      "search_recordings",
      "list_recordings",
      "get_person",
      "ask",
      "get_outline",
      "get_transcript",
      "summarize_recording",
      "save_note",
      "add_recording",
      "rerun_topics",
      "get_job",
    ])
    for (const { name, annotations, inputSchema, outputSchema } of tools) {
      expect(annotations?.readOnlyHint, name).toBe(
        !["add_recording", "rerun_topics", "summarize_recording", "save_note"].includes(name),
      )
      expect([inputSchema.type, outputSchema?.type], name).toEqual(["object", "object"])
    }
  })
  it("find what was said and where", async () => {
    const { text, data } = await call("search_recordings", { query: "comet" })
    expect(data.passages).toMatchObject([{ clip_id: clipId, clip_title: "Boats and bees", start_s: 301, speaker: "1" }])
    expect(text).toContain(`5:01 (301 s) in "Boats and bees" [clip_id ${clipId}]`)
    expect((await call("search_recordings", { query: "submarine" })).text).toBe('No recording matches "submarine".')
  })
  it("summarize a recording by a template, and save a note on its words", async () => {
    const { text, data } = await call("summarize_recording", { clip_id: clipId, template: "chapters" })
    expect(text).toMatch(/^# Chapters for show notes\n\n- /)
    expect(data).toMatchObject({ state: "done", template_id: "chapters" })
    expect((await call("summarize_recording", { clip_id: clipId, template: "chapters" })).data).toEqual(data)
    const note = await call("save_note", { clip_id: clipId, start_s: 300, end_s: 302, text: "Check this" })
    expect(note.text).toBe('Saved a note on "Boats and bees" at 5:00 (300 s).')
    expect((await call("save_note", { text: "Buy tar" })).text).toBe("Saved a note in the library.")
  })
  it("list the recordings page by page", async () => {
    const { text, data } = await call("list_recordings", { limit: 1 })
    expect(data.recordings).toMatchObject([{ clip_id: clipId, title: "Boats and bees" }])
    expect(text).toContain(clipId)
  })
  it("describe people with their recordings, and find what they say", async () => {
    expect((await call("get_person")).text).toBe("No speaker has a name.")
    await node.store!.clips.update(clipId, { speakers: { "0": "Ada", "1": "Adam" } })
    expect((await call("get_person", { name: "ad" })).data).toMatchObject({
      people: [{ name: "Ada" }, { name: "Adam" }],
    })
    const { text, data } = await call("get_person", { name: "ada", query: "bees" })
    expect(data).toMatchObject({
      people: [{ name: "Ada", recordings: 1 }],
      recordings: [{ clip_id: clipId, title: "Boats and bees" }],
      passages: [{ clip_id: clipId, start_s: 204 }],
    })
    expect(text).toContain(`What Ada says about "bees":\n- 3:24 (204 s) in "Boats and bees" [clip_id ${clipId}]: `)
    expect((await call("get_person", { name: "ada", query: "comet" })).text).toContain("Nothing found.")
    expect((await call("get_person", { name: "Eve" })).text).toBe('Nobody is named "Eve".')
    await node.store!.clips.update(clipId, { speakers: { "0": "", "1": "" } })
  })
  it("answer a question with the second of each source", async () => {
    const { text, data } = await call("ask", { question: "What is the mast of the boat made of?", max_sources: 1 })
    expect(data.answer).toContain("spruce")
    expect(data.sources).toMatchObject([{ number: 1, clip_id: clipId, title: "Boats and bees", start_s: 100 }])
    expect(text).toMatch(/Sources:\n\[1\] Boats and bees, at 1:40 \(100 s\)/)
  })
  it("return the outline with numbers and times", async () => {
    const { text, data } = await call("get_outline", { clip_id: clipId })
    expect((data.topics as unknown[])[0]).toMatchObject({ number: "1", level: 1, start_s: 0 })
    expect(text).toMatch(/^Boats and bees, .*\n1 .+, from 0:00/)
  })
  it("return a part of the transcript", async () => {
    const { text, data } = await call("get_transcript", { clip_id: clipId, start_s: 200, end_s: 300 })
    expect(data.turns).toMatchObject([{ start_s: 200, speaker: "Speaker 1", text: SENTENCES[2] }])
    expect(text).toContain(`[3:20] Speaker 1: ${SENTENCES[2]}`)
    const silent = await call("get_transcript", { clip_id: clipId, start_s: 5000 })
    expect([silent.data.turns, silent.text]).toEqual([[], expect.stringContaining("Nothing is said")])
  })
  it("cut a long transcript and say where it continues", async () => {
    const long = Array.from({ length: 400 }, (_, i) => ({
      word: `word${i}.`,
      start: i * 30,
      end: i * 30 + 1,
      speaker: "0",
    }))
    const earmark = new Earmark(node.config)
    const id = await earmark.persistTranscription("name:long", long, { title: "Long" })
    await earmark.close()
    const read: string[] = []
    let start_s: number | undefined = 0
    let calls = 0
    while (start_s !== undefined) {
      const { text, data } = await call("get_transcript", { clip_id: id, start_s, max_chars: 500 })
      read.push(...(data.turns as { text: string }[]).flatMap((turn) => turn.text.split(" ")))
      start_s = data.next_start_s as number | undefined
      expect(text.includes("Call get_transcript with start_s")).toBe(start_s !== undefined)
      expect(text.length).toBeLessThan(700)
      calls++
    }
    expect(read).toEqual(long.map(({ word }) => word))
    expect(calls).toBeGreaterThan(5)
  })
  it("add a recording, say that no worker runs, and report the job", async () => {
    const added = await call("add_recording", { source: "https://example.org/talk.mp3", title: "A talk" })
    expect(added.text).toContain("earmark serve")
    const { text, data } = await call("get_job", { job_id: added.data.job_id })
    expect(data).toMatchObject({ job_id: added.data.job_id, clip_id: added.data.clip_id, status: "queued" })
    expect(text).toBe('The job of "A talk" is queued.')
  })
  it("return errors as sentences that name what is wrong", async () => {
    const error = async (name: string, args: Record<string, unknown>) => {
      const { isError, text } = await call(name, args)
      expect(isError).toBe(true)
      return text
    }
    expect(await error("get_outline", { clip_id: "nobody" })).toBe("unknown clip 'nobody'")
    expect(await error("get_job", { job_id: "x" })).toBe("unknown job 'x'")
    expect(await error("add_recording", { source: "ftp://example.org/a" })).toContain("'ftp:' URLs are not accepted")
    expect(await error("add_recording", { source: "name:a", language: "?" })).toContain("language code")
    expect(await error("ask", { question: "Why?", scope: "moon" })).toContain(
      "scope: must be one of documents, clips, all",
    )
    expect(await error("get_outline", {})).toMatch(/clip_id: is missing$/)
  })
})

describe("the resources", () => {
  it("list the recordings and return them in each format", async () => {
    const { resources } = await client.listResources()
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: `earmark://clips/${clipId}`, name: "Boats and bees" }),
    )
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "earmark://clips/{id}",
      "earmark://clips/{id}/{format}",
    ])
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]
    expect(await read(`earmark://clips/${clipId}`)).toMatchObject({
      mimeType: "text/markdown",
      text: expect.stringContaining("# Boats and bees"),
    })
    expect(await read(`earmark://clips/${clipId}/vtt`)).toMatchObject({
      mimeType: "text/vtt",
      text: expect.stringContaining("WEBVTT"),
    })
  })
  it("complete formats and IDs", async () => {
    const ref = { type: "ref/resource" as const, uri: "earmark://clips/{id}/{format}" }
    const complete = async (name: string, value: string) =>
      (await client.complete({ ref, argument: { name, value } })).completion.values
    expect(await complete("format", "v")).toEqual(["vtt"])
    expect(await complete("id", clipId.slice(0, 8))).toEqual([clipId])
  })
  it("reject unknown recordings and formats with a sentence", async () => {
    await expect(client.readResource({ uri: "earmark://clips/nobody" })).rejects.toThrow("unknown clip 'nobody'")
    await expect(client.readResource({ uri: `earmark://clips/${clipId}/doc` })).rejects.toThrow(
      "There is no format 'doc'",
    )
  })
})

it("lets a token that may only read add nothing", async () => {
  const reader = await connect({ pin: "2026-07-28" }, ["read"])
  const read = await reader.callTool({ name: "get_outline", arguments: { clip_id: clipId } })
  const added = await reader.callTool({ name: "add_recording", arguments: { source: "https://example.org/a.mp3" } })
  expect([read.isError, added.isError]).toEqual([undefined, true])
  expect(added.content).toMatchObject([{ text: expect.stringContaining("needs the scope 'write'") }])
  await reader.close()
})

it("serves clients of earlier protocol revisions", async () => {
  const older = await connect("legacy")
  const { tools } = await older.listTools()
  const { structuredContent } = await older.callTool({ name: "get_outline", arguments: { clip_id: clipId } })
  expect([tools.length, structuredContent]).toEqual([11, expect.objectContaining({ clip_id: clipId })])
  await older.close()
})

it("does not reveal the text of an unexpected error", async () => {
  const { sentenceOf } = await import("./tool.ts")
  const log = createLogger("silent", "test")
  expect(sentenceOf(new Error("SELECT secret"), log)).not.toContain("secret")
  expect(sentenceOf(new EarmarkError(404, "unknown clip 'x'"), log)).toBe("unknown clip 'x'")
})

it("waits for the end of a job, but not longer than asked", async () => {
  const api = createLocalApi(node)
  const { job_id } = await api.submit({ source: "https://example.org/slow.mp3" })
  const began = Date.now()
  const waiting = api.job(job_id, { wait: 30 })
  const short = await api.job(job_id, { wait: 1 })
  expect([short.status, Date.now() - began >= 990]).toEqual(["queued", true])
  await node.store!.jobs.cancel(job_id)
  expect((await waiting).status).toBe("cancelled")
  expect(Date.now() - began).toBeLessThan(10_000)
})
