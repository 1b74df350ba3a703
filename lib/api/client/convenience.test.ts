import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { JobRecord } from "../../domain/jobs/jobs.ts"
import { makeClient } from "./client.ts"
import type { ClientOptions } from "./transport.ts"

type Answer = { readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string> } | Error

const createClient = (options: ClientOptions) =>
  makeClient(options, {
    response: (_id, _status, body) => body as never,
    event: (_id, _status, event) => event as never,
  })

/** Creates a client whose requests get these answers one after the other. */
const clientWith = (answers: readonly Answer[]) => {
  const left = [...answers]
  const requests: string[] = []
  const send = async (url: unknown, { method }: RequestInit = {}) => {
    requests.push(`${method} ${String(url)}`)
    const answer = left.shift() ?? new Error("no answer left")
    if (answer instanceof Error) throw answer
    return Response.json(answer.body ?? {}, { status: answer.status ?? 200, headers: answer.headers ?? {} })
  }
  return { client: createClient({ fetch: send as typeof fetch }), requests }
}
const job = (status: JobRecord["status"], more: object = {}) => ({ job_id: "a", status, ...more })

describe("a read", () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const busy = (seconds: number) => ({
    status: 503,
    headers: { "retry-after": `${seconds}` },
    body: { detail: "Busy." },
  })
  it("is repeated after a lost connection and a gateway without the service", async () => {
    const { client, requests } = clientWith([new TypeError("refused"), { status: 502 }, { body: job("done") }])
    expect(await client.job("a")).toMatchObject({ status: "done" })
    expect(requests).toHaveLength(3)
  })
  it("fails with the last error, which has the time to wait", async () => {
    const { client, requests } = clientWith([busy(1), busy(1), busy(2)])
    await expect(client.job("a")).rejects.toMatchObject({ status: 503, message: "Busy.", retryAfterMs: 2000 })
    expect(requests).toHaveLength(3)
  })
  it("leaves a long wait to the caller", async () => {
    const { client, requests } = clientWith([busy(60)])
    await expect(client.job("a")).rejects.toMatchObject({ retryAfterMs: 60_000 })
    expect(requests).toHaveLength(1)
  })
  it("is not repeated after an answer that will not change", async () => {
    const { client, requests } = clientWith([{ status: 404, body: { detail: "unknown job 'a'" } }])
    await expect(client.job("a")).rejects.toThrow("unknown job 'a'")
    expect(requests).toHaveLength(1)
  })
})

it("ends a request that takes too long, with a sentence", async () => {
  const hang = (_url: unknown, { signal }: RequestInit = {}) =>
    new Promise<Response>((_resolve, reject) => {
      signal!.addEventListener("abort", () => reject(signal!.reason))
    })
  const client = createClient({ baseUrl: "http://host", timeoutMs: 20, fetch: hang as typeof fetch })
  await expect(client.clips()).rejects.toThrow("The service at http://host did not respond within 0.02 seconds.")
})

describe("a job", () => {
  it("is waited for with long polls", async () => {
    const { client, requests } = clientWith([{ body: job("queued") }, { body: job("running") }, { body: job("done") }])
    expect((await client.wait("a")).status).toBe("done")
    expect(requests).toEqual(Array(3).fill("GET /jobs/a?wait=30"))
  })
  it("is submitted or uploaded, waited for and returned as a clip by transcribe", async () => {
    const answers = [
      { status: 202, body: { job_id: "a" } },
      { body: job("running") },
      { body: job("done") },
      { body: { clip: { id: "c" } } },
    ]
    const states: string[] = []
    const { client, requests } = clientWith(answers)
    expect(
      await client.transcribe("https://example.org/a.mp3", { onProgress: ({ status }) => states.push(status) }),
    ).toEqual({
      id: "c",
    })
    expect(requests).toEqual(["POST /jobs/audio", "GET /jobs/a?wait=2", "GET /jobs/a?wait=2", "GET /jobs/a/result"])
    expect(states).toEqual(["running", "done"])
    const uploaded = clientWith(answers)
    await uploaded.client.transcribe(new Blob(["sound"]), { filename: "a.mp3" })
    expect(uploaded.requests[1]).toBe("GET /jobs/a?wait=30")
  })
  it.each([
    [job("error", { error: { stage: "whisper", detail: "no sound" } }), "whisper: no sound", "job_failed"],
    [job("cancelled"), "The job 'a' was cancelled.", "job_cancelled"],
  ])("that fails is an error of transcribe (%j)", async (end, message, code) => {
    const { client } = clientWith([{ status: 202, body: { job_id: "a" } }, { body: end }])
    await expect(client.transcribe("name:a")).rejects.toMatchObject({ message, code })
  })
})

it("reads lists page by page, and no page before it is needed", async () => {
  const page = (from: number, next_cursor?: string) => ({
    body: { clips: [{ id: `${from}` }, { id: `${from + 1}` }], ...(next_cursor !== undefined && { next_cursor }) },
  })
  const { client, requests } = clientWith([page(1, "x"), page(3, "y"), page(5)])
  const ids: string[] = []
  for await (const { id } of client.allClips({ limit: 2 })) {
    if (id === "2") expect(requests).toHaveLength(1)
    ids.push(id)
  }
  expect(ids).toEqual(["1", "2", "3", "4", "5", "6"])
  expect(requests).toEqual(["GET /clips?limit=2", "GET /clips?limit=2&cursor=x", "GET /clips?limit=2&cursor=y"])
})
