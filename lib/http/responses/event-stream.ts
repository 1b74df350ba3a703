const KEEP_ALIVE_INTERVAL_MS = 15_000

/** An event of a stream. The data is sent as one line of JSON. */
export type ServerEvent = { readonly event: string; readonly data: unknown }

const serialize = ({ event, data }: ServerEvent): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/**
 * Returns a response that streams server-sent events. A comment every 15 s keeps proxies from closing an idle stream.
 * @param open opens the source of the events. Its signal aborts when the client disconnects or one of `signals` aborts.
 */
export const eventStream = async (
  open: (signal: AbortSignal) => Promise<AsyncGenerator<ServerEvent>>,
  signals: readonly AbortSignal[],
): Promise<Response> => {
  const disconnected = new AbortController()
  const events = await open(AbortSignal.any([...signals, disconnected.signal]))
  const encoder = new TextEncoder()
  let keepAlive: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      keepAlive = setInterval(() => controller.enqueue(encoder.encode(": keep-alive\n\n")), KEEP_ALIVE_INTERVAL_MS)
    },
    async pull(controller) {
      try {
        const { done, value } = await events.next()
        if (!done) return controller.enqueue(encoder.encode(serialize(value)))
        clearInterval(keepAlive)
        controller.close()
      } catch (error) {
        clearInterval(keepAlive)
        controller.error(error)
      }
    },
    cancel() {
      clearInterval(keepAlive)
      disconnected.abort()
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

/** Returns true if a request asks for server-sent events. */
export const wantsEvents = (request: Request): boolean =>
  (request.headers.get("accept") ?? "").toLowerCase().includes("text/event-stream")
