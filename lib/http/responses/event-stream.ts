const KEEP_ALIVE_INTERVAL_MS = 15_000

/** An event of a stream. The data is sent as one line of JSON. A reconnecting client sends the last `id` that it received. */
export type ServerEvent = { readonly id?: string; readonly event: string; readonly data: unknown }

const serialize = ({ id, event, data }: ServerEvent): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n${id === undefined ? "" : `id: ${id}\n`}\n`

/**
 * Returns a response that streams server-sent events. A comment every 15 s keeps proxies from closing an idle stream.
 * @param open opens the source of the events. Its signal aborts when the client disconnects or one of `signals` aborts. Null
 * means that no event is left: the response is 204, after which an EventSource does not reconnect.
 */
export const eventStream = async (
  open: (signal: AbortSignal) => Promise<AsyncGenerator<ServerEvent> | null>,
  signals: readonly AbortSignal[],
): Promise<Response> => {
  const disconnected = new AbortController()
  const events = await open(AbortSignal.any([...signals, disconnected.signal]))
  if (events === null) return new Response(null, { status: 204 })
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
      // Lets the source end where it waits for the client.
      void events.return(undefined).catch(() => {})
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
