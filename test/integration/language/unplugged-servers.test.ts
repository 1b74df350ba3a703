import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { afterEach, describe, expect, it } from "vitest"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { retryJob } from "#lib/services/jobs/jobs.ts"
import { type Installation, openInstallation } from "#test/fixtures/installation.ts"
import { startOllamaServer } from "#test/fixtures/ollama-server.ts"
import { startOpenAiServer } from "#test/fixtures/openai-server.ts"
import { speechWords } from "#test/fixtures/speech-words.ts"
import { listen } from "#test/fixtures/web.ts"

const KEY = "sk-very-secret-key"

type Unplug = {
  readonly how: string
  /** Answers a request instead of the server. */
  readonly answer: (response: ServerResponse) => void
  readonly sentence: Readonly<Record<Provider, RegExp>>
}
type Provider = "ollama" | "openai"

const both = (sentence: RegExp) => ({ ollama: sentence, openai: sentence })
const json = { "content-type": "application/json" }
/** Answers again at once, so that the repetitions of a request take no time. */
const now = { "retry-after": "0" }

const WAYS: readonly Unplug[] = [
  {
    how: "cuts the connection",
    answer: (r) => r.destroy(),
    sentence: both(/cannot be reached \(ECONNRESET\): start it/),
  },
  {
    how: "is cut off after the headers",
    answer: (r) => r.writeHead(200, json).write("{", () => r.destroy()),
    sentence: both(/cannot be reached \((ECONNRESET|aborted|.*)\): start it/),
  },
  {
    how: "sends half an answer",
    answer: (r) => r.writeHead(200, json).end('{"message":{"role":"assistant","content":"The'),
    sentence: { ollama: /sent a response that is not JSON/, openai: /sent an incomplete response\. Try again\.$/ },
  },
  {
    how: "fails",
    answer: (r) => r.writeHead(500, { ...json, ...now }).end('{"error":"out of memory"}'),
    sentence: {
      ollama: /failed to run the model 'gemma4:latest' \(HTTP 500: out of memory\)/,
      openai: /HTTP 500.*out of memory/,
    },
  },
  {
    how: "is replaced by the error page of a proxy",
    answer: (r) => r.writeHead(503, { "content-type": "text/html", ...now }).end("<h1>Service Unavailable</h1>"),
    sentence: { ollama: /\(HTTP 503\)/, openai: /HTTP 503/ },
  },
  {
    how: "loses the model",
    answer: (r) => r.writeHead(404, json).end(`{"error":{"message":"model 'tiny' not found","code":404}}`),
    sentence: { ollama: /is not Ollama \(HTTP 404\)|^model not available/, openai: /^model not available: 'tiny'/ },
  },
  {
    how: "is replaced by a website",
    answer: (r) => r.writeHead(200, { "content-type": "text/html" }).end("<html></html>"),
    sentence: { ollama: /sent a response that is not JSON/, openai: /responded with text\/html instead of JSON/ },
  },
  {
    how: "sends nothing",
    answer: (r) => r.writeHead(200, json).end(),
    sentence: {
      ollama: /sent a response that is not JSON/,
      openai: /responded with application\/json instead of JSON|incomplete/,
    },
  },
  {
    how: "hangs",
    answer: () => {},
    sentence: {
      ollama: /gave no answer within 3 s: use a smaller model/,
      openai: /gave no answer within 3 s: use a smaller model/,
    },
  },
  {
    how: "redirects",
    answer: (r) => r.writeHead(302, { location: "https://elsewhere.test/" }).end(),
    sentence: { ollama: /is not Ollama \(HTTP 302\)/, openai: /redirects to https:\/\/elsewhere\.test\/ \(HTTP 302\)/ },
  },
]

/** Every fifth word names the job, so that a request shows which of several simultaneous jobs sent it. */
const wordsOf = (way: number) =>
  speechWords({ subjects: 2 }).map((span, i) => (i % 5 === 0 ? { ...span, word: `unplug${way}x` } : span))

/** Starts a proxy to a server. The first chat request of a job passes; later ones get the answer of its way. */
const startPlug = async (target: string, chatPath: string) => {
  const state = { isPlugged: false, chats: WAYS.map(() => 0) }
  const forward = async (request: IncomingMessage, body: string, response: ServerResponse): Promise<void> => {
    const { authorization, "content-type": type = "application/json" } = request.headers
    const headers = { "content-type": type, ...(authorization && { authorization }) }
    const { method = "GET" } = request
    const answer = await fetch(target + request.url, { method, headers, ...(method === "POST" && { body }) })
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" })
    response.end(Buffer.from(await answer.arrayBuffer()))
  }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const way = Number(/unplug(\d+)x/.exec(body)?.[1] ?? Number.NaN)
    const isChat = request.url === chatPath && WAYS[way] !== undefined
    if (isChat && state.chats[way]!++ > 0 && !state.isPlugged) return WAYS[way]!.answer(response)
    await forward(request, body, response)
  })
  return {
    url: await listen(server),
    state,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const SERVERS = {
  ollama: {
    start: () => startOllamaServer(),
    chatPath: "/api/chat",
    env: (url: string) => ({ SERVICE_PROVIDER: "ollama", SERVICE_OLLAMA_BASE_URL: url }),
  },
  openai: {
    start: () => startOpenAiServer({ apiKey: KEY }),
    chatPath: "/v1/chat/completions",
    env: (url: string) => ({ SERVICE_PROVIDER: "openai", SERVICE_OPENAI_BASE_URL: url, SERVICE_OPENAI_API_KEY: KEY }),
  },
} as const

let closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  closing = []
})

describe.each(["ollama", "openai"] as const)(
  "an unplugged server of the provider %s",
  { timeout: 240_000 },
  (provider) => {
    it("ends each job with a sentence, and loses no work", async () => {
      const { start, chatPath, env } = SERVERS[provider]
      const server = await start()
      const plug = await startPlug(server.url, chatPath)
      const installation: Installation = await openInstallation({ ...env(plug.url), SERVICE_MODEL_TIMEOUT_S: "3" })
      closing = [() => server.close(), () => plug.close(), () => installation.close()]
      await installation.worker()
      const { store } = installation
      const ids = await Promise.all(
        WAYS.map(({ how }, way) =>
          installation.submit({ source: `name:${how.replaceAll(" ", "-")}`, transcription: wordsOf(way), title: how }),
        ),
      )
      const ended = await Promise.all(
        ids.map((id) => installation.until(id, ({ status }) => status === "done" || status === "error", 180_000)),
      )
      const details = Object.fromEntries(ended.map(({ title, error }) => [title, error?.detail ?? "no error"]))
      expect(details).toEqual(
        Object.fromEntries(WAYS.map(({ how, sentence }) => [how, expect.stringMatching(sentence[provider])])),
      )
      for (const detail of Object.values(details)) expect(detail.length).toBeLessThan(300)
      for (const { session_id } of ended)
        expect((await store.clips.get(session_id))!.transcription.length).toBeGreaterThan(100)
      expect(JSON.stringify([ended, installation.workers.map(({ lines }) => lines)])).not.toContain(KEY)

      plug.state.isPlugged = true
      for (const id of ids) await retryJob(installation.node, { job_id: id })
      for (const before of ended) {
        const isEnded = ({ status }: JobRecord) => status === "done" || status === "error"
        const job = await installation.until(before.job_id, isEnded, 120_000)
        expect([job.title, job.status]).toEqual([job.title, "done"])
        expect((await store.clips.get(job.session_id))!.tree.topics[0]!.children.length).toBeGreaterThan(0)
        // Stages that were done before do not run again.
        const done = STAGE_NAMES.filter((stage) => before.stages[stage] === "done")
        expect(done).toContain("whisper")
        const attemptsOf = (record: JobRecord) => done.map((stage) => [stage, record.stage_attempts[stage]])
        expect(attemptsOf(job)).toEqual(attemptsOf(before))
      }
    })
  },
)
