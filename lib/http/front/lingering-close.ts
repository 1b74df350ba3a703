import type { IncomingMessage, ServerResponse } from "node:http"

/** How long and how much a refused body may go on arriving, so that the refusal is read before the connection ends. */
const MAX_LINGER_MS = 3000
const LINGER_BYTES = 64 * 2 ** 20

/**
 * Lets a refusal be read: an answer that is ready while its request still sends closes the connection only after the
 * rest has come, or a little time or data has passed. Closed at once, the client sees a reset instead of the answer.
 */
export const enableLingeringClose = (request: IncomingMessage, response: ServerResponse): void => {
  const { write, end } = response
  response.end = ((...args: unknown[]) => {
    if (request.complete || request.destroyed || request.method === "GET" || request.method === "HEAD")
      return Reflect.apply(end, response, args)
    const done = args.findLast((a) => typeof a === "function")
    const [chunk, encoding] = args.filter((a) => typeof a !== "function")
    if (!response.headersSent) {
      response.setHeader("connection", "close")
      if (chunk !== undefined && !response.hasHeader("content-length"))
        response.setHeader("content-length", Buffer.byteLength(chunk as string))
    }
    if (chunk !== undefined && chunk !== null) Reflect.apply(write, response, [chunk, encoding ?? "utf8"])
    else response.flushHeaders()
    let bytes = 0
    const finish = () => {
      clearTimeout(timer)
      request.off("readable", drain)
      if (!response.writableEnded) Reflect.apply(end, response, done ? [done] : [])
      if (!request.complete) request.socket.destroySoon()
    }
    const drain = () => {
      for (let part = request.read(); part !== null; part = request.read()) bytes += part.length
      if (bytes > LINGER_BYTES) finish()
    }
    const timer = setTimeout(finish, MAX_LINGER_MS)
    request.on("readable", drain).once("end", finish).once("close", finish)
    drain()
    return response
  }) as ServerResponse["end"]
}
