import type { ZodType, z } from "zod"
import type { Endpoint } from "../api/endpoint.ts"
import { readFields, responseSchema } from "../api/field-selection.ts"
import { ENDPOINTS, type EndpointId, type EndpointTable } from "../api/table.ts"
import type { IfMatch } from "../domain/clip-version.ts"
import { AppError } from "../domain/errors.ts"
import { describeIssues, parseInput } from "../domain/parse-input.ts"
import { requireGroups } from "../platform/capabilities/registry.ts"
import { requireScope } from "./auth/scopes.ts"
import { readJson } from "./body.ts"
import { getHttpDeps, type HttpDeps } from "./container.ts"
import { readIdempotencyKey, runKeyed } from "./idempotency.ts"
import { readIfMatch } from "./if-match.ts"
import { REQUEST_ID_HEADER } from "./request-id.ts"
import { errorBody, METHODS, toErrorResponse } from "./responses/error-response.ts"
import { parseQueryString, rejectNonDecimals } from "./validation.ts"
import { addWarningsHeader, getWarnings, noteUnknownFields } from "./warnings.ts"

type Method = (typeof METHODS)[number]
type Context = { readonly params: Promise<Record<string, string | string[] | undefined>> }
export type RouteHandler = (request: Request, context: Context) => Promise<Response>

/** The parsed request of an endpoint. Inputs that the endpoint does not declare are undefined. */
export type Input<E> = {
  readonly params: E extends { params: infer S extends ZodType } ? z.output<S> : undefined
  readonly query: E extends { query: infer S extends ZodType } ? z.output<S> : undefined
  readonly body: E extends { upload: unknown }
    ? undefined
    : E extends { body: { schema: infer S extends ZodType } }
      ? z.output<S>
      : undefined
  /** The fields that the response shall have. Undefined: all. `serve` leaves out the others. */
  readonly fields: readonly string[] | undefined
  readonly request: Request
  readonly signal: AbortSignal
  /** The versions of which one must be current for a change. */
  readonly ifMatch: IfMatch | undefined
  /** Identifies what this request does. A request that is repeated with the same idempotency key has the same ID. */
  readonly operationId: string
}

/** A JSON response with a status or headers other than the endpoint's own. */
export class Reply<T> {
  constructor(
    readonly data: T,
    readonly options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> },
  ) {}
}

type Result<E> = E extends { response: { schema: infer S extends ZodType } }
  ? z.output<S> | Reply<z.output<S>> | Response
  : E extends { status: 204 }
    ? unknown
    : Response

/** Implements an endpoint. JSON data is validated and sent with the endpoint's status; a `Response` is sent as it is. */
export type Run<E> = (deps: HttpDeps, input: Input<E>) => Promise<Result<E>>

/** A body that has been received: what makes it another one if it differs, and what to do with it. */
export type Received<T> = {
  readonly identity: unknown
  readonly run: (operationId: string) => Promise<T>
  /** Removes what was stored of the body. Called instead of `run` if the request was answered before. */
  readonly discard: () => Promise<void>
}

/** Implements an endpoint with an upload in two steps, because the body of a request is known only when it has arrived. */
export type Receive<E> = {
  readonly receive: (deps: HttpDeps, input: Omit<Input<E>, "operationId">) => Promise<Received<Result<E>>>
}

type Implementation<E> = E extends { upload: unknown } | { rawBody: unknown; method: "POST" } ? Receive<E> : Run<E>

/** Returns a path with the fields of a response in place of their names. */
const fillPath = (path: string, data: object): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String((data as Record<string, unknown>)[name])))

const toResponse = (
  endpoint: Endpoint,
  result: unknown,
  { fields, warnings }: { readonly fields: readonly string[] | undefined; readonly warnings: readonly string[] },
): Response => {
  const { status = 200, location } = endpoint
  if (result instanceof Response) return result
  const schema = responseSchema(endpoint, fields)
  if (!schema) return new Response(null, { status })
  const reply = result instanceof Reply ? result : new Reply(result, {})
  const parsed = schema.safeParse(reply.data)
  if (!parsed.success)
    throw new Error(`The response does not match its schema: ${describeIssues(parsed.error.issues, "the response")}`)
  const isCreated = status === 201 || status === 202
  const data = isCreated && warnings.length > 0 ? { ...(parsed.data as object), warnings } : parsed.data
  const { etag } = parsed.data as { etag?: unknown }
  const headers = {
    "cache-control": "no-store",
    ...(location && { location: fillPath(location, parsed.data as object) }),
    ...reply.options.headers,
    ...(typeof etag === "string" && { etag }),
  }
  const body = JSON.stringify(data)
  return new Response(body, {
    status: reply.options.status ?? status,
    // The server does not compress a body that is known to be short.
    headers: { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)), ...headers },
  })
}

const parseBody = async <T>(schema: ZodType<T>, request: Request, { config }: HttpDeps): Promise<T> => {
  const body = await readJson(request, config.http.maxJsonBytes)
  noteUnknownFields(request, body, { schema, kind: "field" })
  return parseInput(schema, body, "body")
}

/** Divides a query string into the selected fields and the other parameters. */
const takeFields = (endpoint: Endpoint, given: URLSearchParams) => {
  const search = new URLSearchParams(given)
  const fields = readFields(endpoint, search)
  if (endpoint.fieldsOf !== undefined) search.delete("fields")
  return { fields, search }
}

const handleRequest = async <E extends Endpoint>(
  endpoint: E,
  implementation: Run<E> | Receive<E>,
  request: Request,
  context: Context,
): Promise<Response> => {
  const deps = getHttpDeps()
  const { scope, partOf, needs = [], params, query, body, upload }: Endpoint = endpoint
  if (scope !== null) requireScope(request, scope)
  const url = new URL(request.url)
  if (partOf && deps.groups[partOf].state !== "present")
    throw new AppError("not_found", `no such path: ${url.pathname}`)
  requireGroups(deps.groups, needs)
  const key = readIdempotencyKey(endpoint, request)
  const { fields, search } = takeFields(endpoint, url.searchParams)
  const others = endpoint.fieldsOf === undefined ? [] : ["fields"]
  noteUnknownFields(request, Object.fromEntries(search), { schema: query, kind: "query parameter", others })
  const input = {
    params: params && parseInput(params, rejectNonDecimals(await context.params, params), "path"),
    query: query && parseInput(query, rejectNonDecimals(parseQueryString(search), query), "query"),
    body: body && !upload ? await parseBody(body.schema, request, deps) : undefined,
    fields,
    request,
    signal: request.signal,
    ifMatch: readIfMatch(request),
  } as Omit<Input<E>, "operationId">
  const { identity, ...received } = await receive(implementation, deps, input)
  const address = `${request.method} ${url.pathname}${url.search}`
  return runKeyed(deps, key, {
    ...received,
    identity: [address, identity],
    run: async (operationId) =>
      toResponse(endpoint, await received.run(operationId), { fields, warnings: getWarnings(request) }),
  })
}

/** Receives the body of a request, if the endpoint has not parsed it already. */
const receive = async <E extends Endpoint>(
  implementation: Run<E> | Receive<E>,
  deps: HttpDeps,
  input: Omit<Input<E>, "operationId">,
): Promise<Received<Result<E>>> => {
  if (typeof implementation !== "function") return implementation.receive(deps, input)
  const run = (operationId: string) => implementation(deps, { ...input, operationId } as Input<E>)
  return { identity: input.body, run, discard: async () => undefined }
}

/** An endpoint with its implementation. */
export type Handler = {
  readonly name: string
  readonly method: Endpoint["method"]
  readonly handle: RouteHandler
}

/** Connects an endpoint to its implementation. Errors become JSON error responses. */
export const createHandler = <E extends Endpoint>(
  name: string,
  endpoint: E,
  implementation: Run<E> | Receive<E>,
): Handler => ({
  name,
  method: endpoint.method,
  handle: async (request, context) => {
    try {
      return addWarningsHeader(request, await handleRequest(endpoint, implementation, request, context))
    } catch (error) {
      const { status, headers, body } = toErrorResponse(error, {
        log: getHttpDeps().log,
        where: `${request.method} ${new URL(request.url).pathname}`,
        requestId: request.headers.get(REQUEST_ID_HEADER),
      })
      return addWarningsHeader(request, new Response(body, { status, headers }))
    }
  },
})

/**
 * Returns one function per HTTP method for a route file. HEAD answers like GET without the body, OPTIONS lists the
 * methods, and methods without a handler answer 405. Each function has the name of its handler.
 */
export const route = (handlers: readonly Handler[]): Record<Method, RouteHandler> => {
  const find = (method: Method) =>
    handlers.find((handler) => handler.method === method) ??
    (method === "HEAD" ? handlers.find((handler) => handler.method === "GET") : undefined)
  const allow = METHODS.filter((method) => method === "OPTIONS" || find(method)).join(", ")
  const reject: RouteHandler = async ({ method, headers }) => {
    const detail = `${method} is not allowed for this path. It supports ${allow}.`
    const body = errorBody({ detail, code: "method_not_allowed", requestId: headers.get(REQUEST_ID_HEADER) })
    return new Response(body, { status: 405, headers: { allow, "content-type": "application/json" } })
  }
  const functionOf = (method: Method): RouteHandler => {
    if (method === "OPTIONS") return async () => new Response(null, { status: 204, headers: { allow } })
    const handler = find(method)
    if (!handler) return reject
    const { name, handle } = handler
    const withoutBody: RouteHandler = async (request, context) => {
      const full = await handle(request, context)
      await full.body?.cancel()
      return new Response(null, full)
    }
    const own: RouteHandler = (request, context) => (method === "HEAD" ? withoutBody : handle)(request, context)
    return Object.defineProperty(own, "name", { value: name })
  }
  return Object.fromEntries(METHODS.map((method) => [method, functionOf(method)])) as Record<Method, RouteHandler>
}

/** Implementations by endpoint ID. */
type Implementations = { readonly [K in EndpointId]?: Implementation<EndpointTable[K]> }

/** Serves the endpoints of one path: `export const { GET, … } = serve({ getClip: (deps, { params }) => … })`. */
export const serve = (implementations: Implementations): Record<Method, RouteHandler> => {
  const handlerOf = <K extends EndpointId>(id: K, implementation: Implementations[K]): Handler[] =>
    implementation ? [createHandler(id, ENDPOINTS[id] as Endpoint, implementation as Run<Endpoint>)] : []
  const ids = Object.keys(implementations) as EndpointId[]
  return route(ids.flatMap((id) => handlerOf(id, implementations[id])))
}
