import type { JobRecord } from "../../domain/jobs/jobs.ts"
import type { QueryEvent, QueryInput } from "../documents.ts"
import { EarmarkError, errorOf } from "./errors.ts"
import { pause } from "./retry.ts"
import { type Call, type EventOf, parseJson, type Transport } from "./transport.ts"

const MAX_RECONNECTS = 5
const RECONNECT_DELAY_MS = 1000

type ServerEvent = { readonly event: string; readonly data: string }

const parseEvent = (block: string): ServerEvent | null => {
  let event = "message"
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ""] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === "event") event = value
    else if (field === "data") data.push(value)
  }
  return data.length > 0 ? { event, data: data.join("\n") } : null
}

/** Reads server-sent events (WHATWG HTML, 9.2). Skips comments and IDs. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ""
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const blocks = rest.split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ""
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Yields the validated events of one response. @throws EarmarkError for an error status or an invalid event */
async function* streamEvents<K extends "jobEvents" | "query">(
  transport: Transport,
  id: K,
  call: Call,
): AsyncGenerator<EventOf<K>> {
  const response = await transport.send(id, { ...call, headers: { accept: "text/event-stream" } })
  if (!response.ok || !response.body) throw errorOf(response, await response.text())
  for await (const { event, data } of readEvents(response.body))
    yield transport.checkEvent(id, response.status, { event, data: parseJson(response.status, data) })
}

/** Returns true if reconnecting may help: the connection was lost, or the service is starting or unreachable for a proxy. */
const isTransient = (error: unknown): boolean =>
  !(error instanceof EarmarkError) || error.status === 0 || error.status >= 502

/**
 * Yields the states of a job until it ends, the final state included. Reconnects after a lost connection; no state is
 * missed, because each event carries the whole record. Returns when `signal` aborts.
 * @throws EarmarkError for an unknown job, or if the service stays unreachable
 */
export async function* jobEvents(
  transport: Transport,
  jobId: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<JobRecord> {
  for (let failures = 0; !signal?.aborted; ) {
    let failure: unknown = new EarmarkError(0, "The service closed the event stream without sending an event.")
    try {
      for await (const { event, data } of streamEvents(transport, "jobEvents", { params: [jobId], signal })) {
        failures = 0
        yield data
        if (event === "end") return
      }
    } catch (error) {
      if (signal?.aborted) return
      failure = error
    }
    if (!isTransient(failure) || ++failures > MAX_RECONNECTS) throw failure
    await pause(RECONNECT_DELAY_MS, signal)
  }
}

export type AnswerEvent = Exclude<QueryEvent, { event: "error" }>

/**
 * Yields an answer while it is written: `sources`, then `delta`s, then `done`.
 * @throws EarmarkError for an error response, an invalid event or an answer that breaks off
 */
export async function* queryStream(
  transport: Transport,
  request: QueryInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent> {
  for await (const event of streamEvents(transport, "query", { body: request, signal })) {
    if (event.event === "error") throw new EarmarkError(200, event.data.detail)
    yield event
    if (event.event === "done") return
  }
  throw new EarmarkError(0, "The connection closed before the answer was complete.")
}
