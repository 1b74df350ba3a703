import type { IncomingMessage, ServerResponse } from "node:http"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"
import { requestPath } from "../request.ts"
import type { PageServer } from "./next-app.ts"

/** Assets and health checks: frequent requests that would hide the others. */
const UNTRACED = /^\/(_next\/|health$|health\/ready$|favicon)/

const parentTrace = ({ headers: { traceparent, tracestate } }: IncomingMessage) =>
  typeof traceparent === "string" ? { traceparent, ...(typeof tracestate === "string" && { tracestate }) } : undefined

type Traced = {
  readonly telemetry: Telemetry | undefined
  readonly pages: PageServer
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Runs `work` in a server span that ends with the response, and continues the trace of the client if it sends one. The
 * span is named after the route. It contains no query string, because that may hold what a person searches for.
 */
export const inRequestSpan = (
  { telemetry = noTelemetry, pages, request, response }: Traced,
  work: () => void,
): void => {
  const path = requestPath(request)
  if (!telemetry.on || UNTRACED.test(path)) {
    work()
    return
  }
  const method = request.method ?? "GET"
  const route = pages.routeOf(path)
  const startedAt = performance.now()
  const attributes = { "http.request.method": method, ...(route && { "http.route": route }) }
  const span = telemetry.begin(route ? `${method} ${route}` : method, {
    kind: "server",
    parent: parentTrace(request),
    attributes: { ...attributes, "url.path": path.slice(0, 500), "url.scheme": "http" },
  })
  response.once("close", () => {
    const status = response.statusCode
    const outcome = { "http.response.status_code": status, ...(status >= 500 && { "error.type": String(status) }) }
    span.set(outcome)
    telemetry.record("http.server.request.duration", (performance.now() - startedAt) / 1000, {
      ...attributes,
      ...outcome,
    })
    span.end(status >= 500 ? new Error(String(status)) : undefined)
  })
  span.run(work)
}
