import type { ZodType } from "zod"
import { AppError } from "../domain/errors.ts"
import type { CapabilityGroup } from "../platform/capabilities/packages.ts"
import { requireGroups } from "../platform/capabilities/registry.ts"
import { readJson } from "./body.ts"
import { deps, type HttpDeps } from "./container.ts"
import { METHODS, toErrorResponse } from "./responses/error-response.ts"
import { describeIssues, parseInput, queryObject, withPlainNumbers } from "./validation.ts"

type Method = (typeof METHODS)[number]
type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
type Context = { params: Promise<Record<string, string | string[] | undefined>> }
type Handler = (request: Request, context: Context) => Promise<Response>

type Input<Q, P, B> = { query: Q; params: P; body: B; request: Request; signal: AbortSignal }
export type Endpoint<Q, P, B, R> = {
  /** Groups without which the answer is 503, asked before anything else is looked at. */
  readonly needs?: readonly CapabilityGroup[]
  /** Group without which the path does not exist. */
  readonly partOf?: CapabilityGroup
  readonly query?: ZodType<Q>
  readonly params?: ZodType<P>
  readonly body?: ZodType<B>
  /** What the answer must be; an endpoint that gives back a Response of its own kind has none. */
  readonly response?: ZodType<R>
  /** 200 unless said otherwise; a function where the answer decides. */
  readonly status?: number | ((answer: R) => number)
  run(deps: HttpDeps, input: Input<Q, P, B>): Promise<R | Response>
}
type Runner = (request: Request, context: Context) => Promise<Response>

const answer = <R>(endpoint: Endpoint<never, never, never, R>, value: R): Response => {
  const checked = endpoint.response?.safeParse(value)
  if (checked && !checked.success)
    throw new Error(`an answer breaks its contract at ${describeIssues(checked.error.issues, "the answer")}`)
  const data = checked ? checked.data : value
  const status = typeof endpoint.status === "function" ? endpoint.status(data) : (endpoint.status ?? 200)
  return Response.json(data, { status, headers: { "cache-control": "no-store" } })
}

/** The answer of a deed that leaves nothing to say. */
export const noContent = (): Response => new Response(null, { status: 204 })

/** One method of a route: parses what comes in, runs the service, validates what goes out. */
export const endpoint =
  <R, Q = undefined, P = undefined, B = undefined>(spec: Endpoint<Q, P, B, R>): Runner =>
  async (request, context) => {
    const container = deps()
    const url = new URL(request.url)
    if (spec.partOf && container.groups[spec.partOf].state !== "present")
      throw new AppError("not_found", `no such path: ${url.pathname}`)
    requireGroups(container.groups, spec.needs ?? [])
    const params =
      spec.params && parseInput(spec.params, withPlainNumbers(await context.params, spec.params), "the path")
    const query =
      spec.query && parseInput(spec.query, withPlainNumbers(queryObject(url.searchParams), spec.query), "the query")
    const body =
      spec.body && parseInput(spec.body, await readJson(request, container.config.http.maxJsonBytes), "the body")
    const input = { params, query, body, request, signal: request.signal } as Input<Q, P, B>
    const value = await spec.run(container, input)
    return value instanceof Response ? value : answer(spec as unknown as Endpoint<never, never, never, R>, value)
  }

const guarded =
  (run: Runner): Handler =>
  async (request, context) => {
    try {
      return await run(request, context)
    } catch (error) {
      const { status, headers, body } = toErrorResponse(
        error,
        deps().log,
        `${request.method} ${new URL(request.url).pathname}`,
      )
      return new Response(request.method === "HEAD" ? null : body, { status, headers })
    }
  }

/** The handlers of a path, one for every method: those that it does not have answer 405 with `Allow`. */
export const route = (verbs: Partial<Record<Verb, Runner>>): Record<Method, Handler> => {
  const own = METHODS.filter((m) => m === "OPTIONS" || (m === "HEAD" ? verbs.GET : verbs[m]) !== undefined)
  const allow = own.join(", ")
  const refuse: Handler = async (request) =>
    Response.json(
      { detail: `${request.method} is not possible here; this path takes ${allow}.` },
      { status: 405, headers: { allow } },
    )
  const handlerOf = (method: Method): Handler => {
    if (method === "OPTIONS") return async () => new Response(null, { status: 204, headers: { allow } })
    const run = method === "HEAD" ? verbs.GET : verbs[method]
    if (!run) return refuse
    if (method !== "HEAD") return guarded(run)
    return guarded(async (request, context) => {
      const full = await run(request, context)
      await full.body?.cancel()
      return new Response(null, full)
    })
  }
  return Object.fromEntries(METHODS.map((m) => [m, handlerOf(m)])) as Record<Method, Handler>
}
