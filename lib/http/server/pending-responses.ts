import { once } from "node:events"
import type { ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

const MAX_WAIT_MS = 1000

/** Keeps track of the responses that have not been sent yet, per connection. */
export const trackPendingResponses = () => {
  const pending = new WeakMap<Duplex, Set<ServerResponse>>()
  return {
    add: (response: ServerResponse): void => {
      const { socket } = response.req
      const responses = pending.get(socket) ?? new Set()
      pending.set(socket, responses.add(response))
      response.on("close", () => responses.delete(response))
    },
    /**
     * True if an error response may be written to a connection on which invalid data arrived. After a complete request
     * the client would take it for the response to that request. In the middle of a request it is the response.
     */
    canSendError: (socket: Duplex): boolean => {
      const responses = [...(pending.get(socket) ?? [])]
      return responses.length <= 1 && responses.every(({ headersSent, req }) => !headersSent && !req.complete)
    },
    /** Waits until the responses to the complete requests of a connection are sent, at most a second. */
    sent: async (socket: Duplex): Promise<void> => {
      const responses = [...(pending.get(socket) ?? [])].filter(({ req }) => req.complete)
      const signal = AbortSignal.timeout(MAX_WAIT_MS)
      await Promise.all(responses.map((response) => once(response, "close", { signal }))).catch(() => undefined)
    },
  }
}
