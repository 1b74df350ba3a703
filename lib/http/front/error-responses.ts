import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http"
import type { Logger } from "../../platform/logger.ts"
import { METHODS, problemBody, toProblem } from "../responses/problem.ts"

const quality = (accept: string, types: readonly string[]): number => {
  for (const type of types)
    for (const range of accept.split(",")) {
      const [name, ...parameters] = range.split(";").map((s) => s.trim().toLowerCase())
      if (name !== type) continue
      const q = parameters.find((p) => p.startsWith("q="))
      return q === undefined ? 1 : Number(q.slice(2)) || 0
    }
  return 0
}

/** Whether the caller would rather read a page than JSON; one that takes anything gets JSON. */
export const prefersHtml = (accept: string | undefined): boolean => {
  const any = ["*/*"]
  return (
    quality(accept ?? "", ["text/html", "text/*", ...any]) >
    quality(accept ?? "", ["application/json", "application/*", ...any])
  )
}

const sentence = (status: number, request: IncomingMessage): string => {
  const path = (request.url ?? "").split("?")[0]
  if (status === 404) return `no such path: ${path}`
  if (status === 405) return `${request.method} is not possible on ${path}.`
  return status < 500
    ? "The request cannot be understood."
    : "Something went wrong inside the service; its log says what."
}

/** Whether an error is about to go out as something that no program can read: a page of Next, or no body at all. */
const lacksJsonErrorBody = (response: ServerResponse, status: number, given: unknown): boolean => {
  const own = given as OutgoingHttpHeaders | undefined
  const type = own?.["content-type"] ?? response.getHeader("content-type")
  return status >= 400 && (type === undefined || /^text\/(html|plain)/.test(String(type)))
}

/**
 * Sees to it that errors of Next itself (unknown path, wrong method on a page, a page that throws) have the body that
 * every error has, unless the caller prefers HTML.
 */
export const sendJsonErrors = (request: IncomingMessage, response: ServerResponse): void => {
  if (prefersHtml(request.headers.accept)) return
  const { writeHead, write, end } = response
  let replaced: string | undefined
  const begin = () => {
    if (!response.headersSent) response.writeHead(response.statusCode)
  }
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    if (!lacksJsonErrorBody(response, status, rest.at(-1))) return Reflect.apply(writeHead, response, [status, ...rest])
    replaced = problemBody(sentence(status, request))
    for (const name of ["content-encoding", "etag", "link"]) response.removeHeader(name)
    if (status === 405 && !response.hasHeader("allow")) response.setHeader("allow", "GET, HEAD")
    response.setHeader("content-type", "application/json")
    response.setHeader("content-length", Buffer.byteLength(replaced))
    return Reflect.apply(writeHead, response, [status])
  }) as ServerResponse["writeHead"]
  response.write = ((...args: unknown[]) => {
    begin()
    if (replaced === undefined) return Reflect.apply(write, response, args)
    const done = args.findLast((a) => typeof a === "function") as (() => void) | undefined
    if (done) process.nextTick(done)
    return true
  }) as ServerResponse["write"]
  response.end = ((...args: unknown[]) => {
    begin()
    if (replaced === undefined) return Reflect.apply(end, response, args)
    const done = args.findLast((a) => typeof a === "function")
    return Reflect.apply(end, response, [replaced, ...(done ? [done] : [])])
  }) as ServerResponse["end"]
}

/** Answers with an error from the front itself. */
export const refuse = (request: IncomingMessage, response: ServerResponse, error: unknown, log: Logger): void => {
  if (response.headersSent) return void response.destroy()
  const { status, headers, body } = toProblem(error, log, `${request.method} ${(request.url ?? "").slice(0, 200)}`)
  if (status === 405 && !response.hasHeader("allow")) response.setHeader("allow", METHODS.join(", "))
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) })
  response.end(request.method === "HEAD" ? undefined : body)
}

/** What is left to say on a socket whose request could not even be parsed. */
export const rawErrorResponse = (code: string | undefined): string => {
  const [status, detail] =
    code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "The request's headers are too large."]
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "The request's headers took too long to arrive."]
        : ["400 Bad Request", "The request is not valid HTTP."]
  const body = problemBody(detail)
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
}
