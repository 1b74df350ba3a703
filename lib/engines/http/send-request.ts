import { type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { messageOf } from "../../domain/errors.ts"

/** No complete answer arrived, for example because the connection was refused or lost. `reason` is an error code or a message. */
export class TransportError extends Error {
  readonly reason: string
  constructor(cause: unknown) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : messageOf(cause)
    super(code, { cause })
    this.name = "TransportError"
    this.reason = code
  }
}

/** The largest expected responses are batches of vectors with a few megabytes. */
export const MAX_RESPONSE_BYTES = 64 * 2 ** 20

export type HttpRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/**
 * Sends a request and returns the response as soon as its headers arrive. Redirects are not followed. Uses node:http because
 * the built-in fetch gives up after five minutes without headers, and a large model on a small machine needs longer.
 */
export const sendRequest = (
  url: URL,
  { method, headers, body }: HttpRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) }
    // Uses a new connection, because the server may have just closed an idle one.
    const request = send(url, { method, headers: { ...headers, ...length }, signal, agent: false }, (response) => {
      // The reader gets the error. Without a reader, it must not end the process.
      response.on("error", () => {})
      resolve(response)
    })
    request.on("error", reject)
    request.end(body)
  })

/** Yields the lines of a response as they arrive. @throws TransportError if the response is too long */
export async function* readLines(response: IncomingMessage): AsyncGenerator<string> {
  let rest = ""
  let read = 0
  response.setEncoding("utf8")
  for await (const part of response as AsyncIterable<string>) {
    read += part.length
    if (read > MAX_RESPONSE_BYTES) throw new TransportError(new Error("the answer is too long"))
    const lines = (rest + part).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
  yield rest
}
