import type { IncomingMessage, ServerResponse } from "node:http"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"
import type { PageServer } from "./next-app.ts"

/** Asked all the time by machines, and of interest to nobody. */
const QUIET = /^\/(_next\/|health$|health\/ready$|favicon)/

const traceOf = ({ headers: { traceparent, tracestate } }: IncomingMessage) =>
  typeof traceparent === "string" ? { traceparent, ...(typeof tracestate === "string" && { tracestate }) } : undefined

/**
 * Lets a request that has passed the door be answered as a span: part of the caller's trace where it tells of one. Its
 * name is the route, not the path, and what people search for is not in it.
 */
export const inRequestSpan = (
  telemetry: Telemetry = noTelemetry,
  pages: PageServer,
  request: IncomingMessage,
  response: ServerResponse,
  work: () => void,
): void => {
  const path = (request.url ?? "").split("?")[0]!
  if (!telemetry.on || QUIET.test(path)) {
    work()
    return
  }
  const method = request.method ?? "GET"
  const route = pages.routeOf(path)
  const startedAt = performance.now()
  const named = { "http.request.method": method, ...(route && { "http.route": route }) }
  const span = telemetry.begin(route ? `${method} ${route}` : method, {
    kind: "server",
    parent: traceOf(request),
    attributes: { ...named, "url.path": path.slice(0, 500), "url.scheme": "http" },
  })
  response.once("close", () => {
    const status = response.statusCode
    const answered = { "http.response.status_code": status, ...(status >= 500 && { "error.type": String(status) }) }
    span.set(answered)
    telemetry.record("http.server.request.duration", (performance.now() - startedAt) / 1000, { ...named, ...answered })
    span.end(status >= 500 ? new Error(String(status)) : undefined)
  })
  span.run(work)
}
