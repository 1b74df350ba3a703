import { join } from "node:path"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { setHttpDeps } from "#lib/http/container.ts"
import type { HttpServer } from "#lib/http/server/http-server.ts"
import { createJobParser } from "#lib/http/uploads/job-parser.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { Earmark } from "#lib/sdk/index.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { programOf } from "#test/fixtures/programs.ts"
import { answerBy, loadRoutes } from "#test/fixtures/routes.ts"
import { raw, serve, silent, tempConfig } from "#test/fixtures/web.ts"

const TOKEN = "a-token-of-24-characters"
/** The real route behind the real HTTP server with a real database. No worker runs. */
const { config, dir, remove } = tempConfig({ SERVICE_API_TOKEN: TOKEN })
let node: Node
let server: HttpServer
let clipId: string

beforeAll(async () => {
  const earmark = new Earmark(config)
  const text = "The hull of the boat is of oak and its mast is of spruce"
  const transcription = text.split(" ").map((word, i) => ({ word, start: i, end: i + 1, speaker: "0" }))
  clipId = (await earmark.generateTopics("name:boat", { transcription, title: "The boat" })).session_id
  await earmark.close()
  node = await openNode(config, silent)
  const viz = openVizCompute({ workerFile: join(dir, "absent.js"), log: silent })
  setHttpDeps({ parseJob: createJobParser(), ...node, viz, root: dir, stopping: new AbortController().signal })
  server = await serve(config, answerBy(await loadRoutes()))
})
afterAll(async () => {
  await server.close({ deadlineMs: 0 })
  await node.close()
  remove()
})

const createMcpClient = () => new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } })

/** Searches, asks, reads, adds and follows a job, as a person with an MCP client would. */
const useEverything = async (client: Client): Promise<void> => {
  const call = async (name: string, args: Record<string, unknown>) => {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: args })
    expect([name, isError ?? false, content]).toEqual([name, false, expect.any(Array)])
    return structuredContent as Record<string, unknown>
  }
  expect(await call("search_recordings", { query: "spruce" })).toMatchObject({ passages: [{ clip_id: clipId }] })
  expect(await call("ask", { question: "What is the mast made of?" })).toMatchObject({
    answer: expect.stringContaining("spruce"),
    sources: [{ clip_id: clipId }],
  })
  expect(await call("get_transcript", { clip_id: clipId, start_s: 9 })).toMatchObject({
    turns: [{ start_s: 9, text: "its mast is of spruce" }],
  })
  const { job_id } = await call("add_recording", { source: "https://example.org/talk.mp3" })
  expect(await call("get_job", { job_id, wait_s: 1 })).toMatchObject({ status: "queued" })
  const again = await call("rerun_topics", { clip_id: clipId, topic_detail: "more" })
  expect(again).toMatchObject({ clip_id: clipId, job_id: expect.any(String) })
  const { contents } = await client.readResource({ uri: `earmark://clips/${clipId}` })
  expect(contents).toMatchObject([{ mimeType: "text/markdown", text: expect.stringContaining("# The boat") }])
  const unknown = await client.callTool({ name: "get_outline", arguments: { clip_id: "nobody" } })
  expect(unknown).toMatchObject({ isError: true, content: [{ text: "unknown clip 'nobody'" }] })
}

describe("MCP over HTTP", () => {
  it("serves a client with the token", async () => {
    const client = createMcpClient()
    const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
    await useEverything(client)
    await client.close()
  })
  it("refuses a request without the token, from another site, or that is no message", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} })
    const post = (headers: Record<string, string>, content = body) =>
      raw(server.url, "/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: content,
      })
    const authorization = `Bearer ${TOKEN}`
    expect((await post({})).status).toBe(401)
    expect((await post({ authorization, origin: "https://evil.example" })).status).toBe(403)
    expect((await post({ authorization, host: "evil.example" })).status).toBe(403)
    expect(await post({ authorization }, "{")).toMatchObject({ status: 400, json: { code: "bad_request" } })
    expect(await post({ authorization }, '{"id":1}')).toMatchObject({ status: 422, json: { code: "invalid" } })
    const read = await raw(server.url, "/mcp", { headers: { authorization } })
    expect([read.status, read.headers.allow]).toEqual([405, "POST, OPTIONS"])
  })
})

describe("earmark mcp", () => {
  const start = async (args: readonly string[]): Promise<Client> => {
    const client = createMcpClient()
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [...programOf("cli"), "mcp", ...args],
        env: { ...(process.env as Record<string, string>), SERVICE_DATA_DIR: dir, SERVICE_PROVIDER: "builtin" },
      }),
    )
    return client
  }
  it("serves the local store over standard input and output", async () => {
    const client = await start([])
    await useEverything(client)
    await client.close()
  })
  it("serves a remote service, and returns its errors", async () => {
    const client = await start(["--url", server.url, "--token", TOKEN])
    await useEverything(client)
    await client.close()
    const stranger = await start(["--url", server.url, "--token", "wrong-token-of-24-letters"])
    const refused = await stranger.callTool({ name: "list_recordings", arguments: {} })
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("This token is not known") }],
    })
    await stranger.close()
  })
})
