import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http"
import { Negotiator } from "negotiator"
import { INTERNAL_ERROR } from "../../domain/errors.ts"
import { newId } from "../../domain/ids.ts"
import type { Logger } from "../../platform/logger.ts"
import { requestPath } from "../request.ts"
import { REQUEST_ID_HEADER } from "../request-id.ts"
import { errorBody, METHODS, toErrorResponse } from "../responses/error-response.ts"

/** Returns true if the client ranks HTML above JSON. Clients without a preference get JSON. */
export const prefersHtml = (accept: string | undefined): boolean =>
  new Negotiator({ headers: { accept } }).mediaType(["application/json", "text/html"]) === "text/html"

/** Returns the message of an error that has none of its own, such as a 404 of Next.js. */
export const describeStatus = (status: number, request: IncomingMessage): string => {
  const path = requestPath(request)
  if (status === 404) return `no such path: ${path}`
  if (status === 405) return `${request.method} is not allowed on ${path}.`
  return status < 500 ? "The request is not valid." : INTERNAL_ERROR
}

/**
 * Returns true if a response needs no JSON body: it is not an error, or it already has a body that programs can read.
 * @param headers the headers that are passed to `writeHead`, if any
 */
export const hasJsonErrorBody = (response: ServerResponse, status: number, headers: unknown): boolean => {
  const type = (headers as OutgoingHttpHeaders | undefined)?.["content-type"] ?? response.getHeader("content-type")
  return status < 400 || (type !== undefined && !/^text\/(html|plain)/.test(String(type)))
}

/** Sends an error as JSON. If a response has already begun, closes the connection. */
export const sendError = (request: IncomingMessage, response: ServerResponse, error: unknown, log: Logger): void => {
  if (response.headersSent) return void response.destroy()
  const { status, headers, body } = toErrorResponse(error, {
    log,
    where: `${request.method} ${(request.url ?? "").slice(0, 200)}`,
    requestId: response.getHeader(REQUEST_ID_HEADER)?.toString() ?? null,
  })
  if (status === 405 && !response.hasHeader("allow")) response.setHeader("allow", METHODS.join(", "))
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) })
  response.end(request.method === "HEAD" ? undefined : body)
}

/**
 * Returns a complete response for a socket whose request could not be parsed.
 * @param code the code of Node's parser error
 */
export const rawErrorResponse = (code: string | undefined): string => {
  const [status, detail] =
    code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "The request headers are too large."]
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "The request headers took too long to arrive."]
        : ["400 Bad Request", "The request is not valid HTTP."]
  const requestId = newId()
  const body = errorBody({ detail, code: "bad_request", requestId })
  return `HTTP/1.1 ${status}\r\n${REQUEST_ID_HEADER}: ${requestId}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
}
