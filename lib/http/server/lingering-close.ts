import type { IncomingMessage } from "node:http"

const MAX_LINGER_MS = 3000
const MAX_LINGER_BYTES = 64 * 2 ** 20

/** Returns true if the client may still be sending a body that nobody has read to its end. */
export const isStillSending = (request: IncomingMessage): boolean =>
  !request.complete && !request.destroyed && request.method !== "GET" && request.method !== "HEAD"

/**
 * Reads and discards the rest of a request body, then calls `done`: when the body ends, the client disconnects, or
 * 3 s or 64 MiB have passed. Closing the connection earlier would reset it, and the client would not see the response.
 */
export const discardBody = (request: IncomingMessage, done: () => void): void => {
  let bytes = 0
  const finish = () => {
    clearTimeout(timer)
    request.off("readable", drain)
    done()
  }
  const drain = () => {
    for (let chunk = request.read(); chunk !== null; chunk = request.read()) bytes += chunk.length
    if (bytes > MAX_LINGER_BYTES) finish()
  }
  const timer = setTimeout(finish, MAX_LINGER_MS)
  request.on("readable", drain).once("end", finish).once("close", finish)
  drain()
}
