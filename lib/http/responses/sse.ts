const COMMENT_MS = 15_000

/** What the stream sends: a name and a value that becomes one line of JSON. */
export type Sent = { readonly event: string; readonly data: unknown }

const line = ({ event, data }: Sent): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/**
 * A stream of server-sent events out of an iterator, with a comment now and then so that nothing on the way takes it
 * for dead. `open` gets a signal that aborts when the client goes or the service stops.
 */
export const eventStream = async (
  open: (signal: AbortSignal) => Promise<AsyncGenerator<Sent>>,
  signals: readonly AbortSignal[],
): Promise<Response> => {
  const gone = new AbortController()
  const signal = AbortSignal.any([...signals, gone.signal])
  const events = await open(signal)
  const encoder = new TextEncoder()
  let comments: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      comments = setInterval(() => controller.enqueue(encoder.encode(": still here\n\n")), COMMENT_MS)
    },
    async pull(controller) {
      try {
        const { done, value } = await events.next()
        if (!done) return controller.enqueue(encoder.encode(line(value)))
        clearInterval(comments)
        controller.close()
      } catch (error) {
        clearInterval(comments)
        controller.error(error)
      }
    },
    cancel() {
      clearInterval(comments)
      gone.abort()
    },
  })
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  })
}

/** Whether a request asks for events rather than for one answer. */
export const wantsEvents = (request: Request): boolean =>
  (request.headers.get("accept") ?? "").toLowerCase().includes("text/event-stream")
