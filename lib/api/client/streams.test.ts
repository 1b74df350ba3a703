import { afterEach, describe, expect, it, vi } from "vitest"
import type { JobRecord } from "../../domain/jobs/jobs.ts"
import { EarmarkError } from "./errors.ts"
import { type AnswerEvent, jobEvents, queryStream } from "./streams.ts"
import type { Transport } from "./transport.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

type Answer = {
  readonly status?: number
  readonly parts?: readonly string[]
  readonly error?: Error
  readonly breaksOff?: boolean
}

/** A transport that sends prepared answers, and then fails. */
const createTransport = (...answers: Answer[]) => {
  const sent: { id: string; call: object }[] = []
  let cancelled = 0
  const send = async (id: string, call: object) => {
    sent.push({ id, call })
    const { status = 200, parts = [], error, breaksOff = false } = answers.shift() ?? { error: new TypeError("gone") }
    if (error) throw error
    const bytes = parts.map((part) => new TextEncoder().encode(part))
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const next = bytes.shift()
        if (next) controller.enqueue(next)
        else if (breaksOff) controller.error(new TypeError("connection reset"))
        else controller.close()
      },
      cancel: () => void cancelled++,
    })
    return new Response(body, { status })
  }
  const checkEvent = (_id: string, _status: number, event: unknown) => event
  return { transport: { send, checkEvent } as unknown as Transport, sent, cancelled: () => cancelled }
}
const sse = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}
/** Lets the pauses between connections end at once. Returns their lengths in milliseconds. */
const skipPauses = (): number[] => {
  const pauses: number[] = []
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) => {
    pauses.push(ms)
    setImmediate(run)
  }) as typeof setTimeout)
  return pauses
}

describe("queryStream", () => {
  const stream = (transport: Transport) => collect(queryStream(transport, { question: "?" }, undefined))

  it("reads events, however they are divided, with comments, IDs and several lines", async () => {
    const { transport, sent } = createTransport({
      parts: [
        ': comment\n\nid: 1\r\nevent: sources\r\ndata:{"sources":\r\ndata: []}\r\n\r',
        "\nevent: del",
        'ta\ndata: {"text":"gr',
        'ü"}\n\nevent: done\ndata: {}\n\nevent: delta\ndata: {"text":"late"}\n\n',
      ],
    })
    expect(await stream(transport)).toEqual([
      { event: "sources", data: { sources: [] } },
      { event: "delta", data: { text: "grü" } },
      { event: "done", data: {} },
    ])
    expect(sent).toEqual([
      { id: "query", call: { body: { question: "?" }, signal: undefined, headers: { accept: "text/event-stream" } } },
    ])
  })

  it("decodes a character that two parts divide", async () => {
    const bytes = new TextEncoder().encode(sse("delta", { text: "ü" }) + sse("done", {}))
    const cut = bytes.indexOf(0xc3) + 1
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(bytes.slice(0, cut))
        controller.enqueue(bytes.slice(cut))
        controller.close()
      },
    })
    const checkEvent = (_id: string, _status: number, event: unknown) => event
    const transport = { send: async () => new Response(body), checkEvent } as unknown as Transport
    expect((await stream(transport))[0]).toEqual({ event: "delta", data: { text: "ü" } })
  })

  it("throws the error of the service, of a refused request and of an answer that breaks off", async () => {
    const failing = createTransport({ parts: [sse("error", { detail: "Ollama is gone." })] })
    await expect(stream(failing.transport)).rejects.toMatchObject({ status: 200, message: "Ollama is gone." })
    const refused = createTransport({ status: 422, parts: ['{"detail":"question: is empty"}'] })
    await expect(stream(refused.transport)).rejects.toMatchObject({ status: 422, message: "question: is empty" })
    const broken = createTransport({ parts: [sse("delta", { text: "a" }), "event: done\ndata: {}"] })
    await expect(stream(broken.transport)).rejects.toMatchObject({
      status: 0,
      message: "The connection closed before the answer was complete.",
    })
    await expect(stream(createTransport({ parts: ["data: {\n\n"] }).transport)).rejects.toBeInstanceOf(EarmarkError)
  })

  it("closes the connection when the caller stops reading", async () => {
    const { transport, cancelled } = createTransport({ parts: [sse("delta", { text: "a" }), sse("delta", {})] })
    const events: AnswerEvent[] = []
    for await (const event of queryStream(transport, { question: "?" }, undefined)) {
      events.push(event)
      break
    }
    expect([events.length, cancelled()]).toEqual([1, 1])
  })
})

describe("jobEvents", () => {
  const state = (status: string) => ({ job_id: "j", status }) as JobRecord
  const follow = (transport: Transport, signal?: AbortSignal) => collect(jobEvents(transport, "j", signal))
  const progress = sse("progress", state("running"))
  const end = sse("end", state("done"))

  it("yields the states of a job, the last one included", async () => {
    const { transport, sent } = createTransport({ parts: [progress, end, progress] })
    expect(await follow(transport)).toEqual([state("running"), state("done")])
    expect(sent).toMatchObject([{ id: "jobEvents", call: { params: ["j"] } }])
  })

  it("connects again after a lost connection, a server that starts and a stream without events", async () => {
    const pauses = skipPauses()
    const { transport, sent } = createTransport(
      { parts: [progress], breaksOff: true },
      { status: 503, parts: ["{}"] },
      { status: 502, parts: ["<html>"] },
      { error: new TypeError("refused") },
      {},
      { parts: [end] },
    )
    expect(await follow(transport)).toEqual([state("running"), state("done")])
    expect(sent).toHaveLength(6)
    expect(pauses).toEqual(Array(5).fill(1000))
  })

  it("gives up after five attempts without an event, with the last error", async () => {
    skipPauses()
    const lost = Array.from({ length: 6 }, (): Answer => ({ status: 503, parts: ['{"detail":"starting"}'] }))
    const { transport, sent } = createTransport(...lost.slice(0, 5), { parts: [progress] }, ...lost)
    await expect(follow(transport)).rejects.toMatchObject({ status: 503, message: "starting" })
    expect(sent).toHaveLength(11)
    await expect(follow(createTransport({}, {}, {}, {}, {}, {}).transport)).rejects.toMatchObject({
      status: 0,
      message: "The service closed the event stream without sending an event.",
    })
  })

  it("throws an error that another attempt would not change at once", async () => {
    for (const status of [404, 500, 501]) {
      const { transport, sent } = createTransport({ status, parts: ['{"detail":"unknown job"}'] })
      await expect(follow(transport)).rejects.toMatchObject({ status, message: "unknown job" })
      expect(sent).toHaveLength(1)
    }
  })

  it("returns when it is aborted: before, while it reads, and while it waits", async () => {
    expect(await follow(createTransport({ parts: [end] }).transport, AbortSignal.abort())).toEqual([])
    const aborted = new AbortController()
    const failing = createTransport({ parts: [progress], breaksOff: true })
    const states: JobRecord[] = []
    for await (const record of jobEvents(failing.transport, "j", aborted.signal)) {
      states.push(record)
      aborted.abort()
    }
    expect([states, failing.sent.length]).toEqual([[state("running")], 1])
    const waiting = new AbortController()
    const { transport, sent } = createTransport({ error: new TypeError("refused") })
    const following = follow(transport, waiting.signal)
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    const began = Date.now()
    waiting.abort()
    expect(await following).toEqual([])
    expect(Date.now() - began).toBeLessThan(900)
  })
})
