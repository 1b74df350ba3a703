import type { ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

/** The answers that are still due on each connection. */
export const trackPendingResponses = () => {
  const due = new WeakMap<Duplex, Set<ServerResponse>>()
  return {
    add: (response: ServerResponse): void => {
      const { socket } = response.req
      const answers = due.get(socket) ?? new Set()
      due.set(socket, answers.add(response))
      response.on("close", () => answers.delete(response))
    },
    /**
     * Whether nonsense on a connection may be answered. After a whole request it may not, for that would be taken for the
     * answer to the request; in the middle of one it is part of that, and the one answer is the refusal.
     */
    canSendError: (socket: Duplex): boolean => {
      const answers = [...(due.get(socket) ?? [])]
      return answers.every((answer) => !answer.headersSent && !answer.req.complete) && answers.length <= 1
    },
  }
}
