import type { ZodType, z } from "zod"
import type { EndpointId, EndpointTable } from "../table.ts"
import { EarmarkError, errorOf } from "./errors.ts"
import { newIdempotencyKey, sendWithRetries } from "./retry.ts"
import { ROUTES } from "./routes.ts"

export type ClientOptions = {
  /** URL of the service. The default, "", is the origin of the page. */
  readonly baseUrl?: string | undefined
  /** An API token, or SERVICE_API_TOKEN of the service. */
  readonly token?: string | undefined
  readonly fetch?: typeof fetch
  /** How often a request that can be repeated is sent again after a failure that may pass. The default is 2. */
  readonly maxRetries?: number | undefined
  /** How long to wait for the response to a request in milliseconds, uploads excepted. The default is 10 minutes. */
  readonly timeoutMs?: number | undefined
}

const DEFAULT_MAX_RETRIES = 2
const DEFAULT_TIMEOUT_MS = 600_000

/** The JSON response of an endpoint; undefined for an endpoint without one. */
export type ResponseOf<K extends EndpointId> = EndpointTable[K] extends {
  response: { schema: infer S extends ZodType }
}
  ? z.output<S>
  : undefined

/** The JSON body of a request as a caller gives it: fields with a default are optional. */
export type BodyOf<K extends EndpointId> = EndpointTable[K] extends { body: { schema: infer S extends ZodType } }
  ? z.input<S>
  : never

type RequiredKeys<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? never : K }[keyof T]

/** A query before its text is parsed: numbers are numbers, and fields with a default are optional. */
export type QueryOf<S extends ZodType> = Partial<z.output<S>> &
  Pick<z.output<S>, RequiredKeys<z.input<S>> & keyof z.output<S>>

/** The query of a request as a caller gives it. */
export type QueryParametersOf<K extends EndpointId> = EndpointTable[K] extends { query: infer S extends ZodType }
  ? QueryOf<S>
  : never

/** A server-sent event of an endpoint. */
export type EventOf<K extends EndpointId> = EndpointTable[K] extends { events: { schema: infer S extends ZodType } }
  ? z.output<S>
  : never

/** Validates what the service sends. @throws EarmarkError if it does not match the schema of the endpoint */
export type Checks = {
  /** @param fields the fields that were selected; undefined for all of them */
  readonly response: <K extends EndpointId>(
    id: K,
    status: number,
    body: unknown,
    fields: readonly string[] | undefined,
  ) => ResponseOf<K>
  readonly event: <K extends EndpointId>(id: K, status: number, event: unknown) => EventOf<K>
}

export type Call = {
  /** Path parameters in the order of the path. */
  readonly params?: readonly (string | number)[]
  readonly query?: object | undefined
  /** The fields that the response shall have. The default is all of them. */
  readonly fields?: readonly string[] | undefined
  /** Sent as multipart if it is a form, else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The key of a request that creates something. The default is a new one for each call. */
  readonly idempotencyKey?: string | undefined
  /** The ETag of the version that the request changes. */
  readonly ifMatch?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export type Transport = {
  readonly url: (id: EndpointId, call?: Pick<Call, "params" | "query" | "fields">) => string
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Returns the response, whatever its status. A read, or a request with an idempotency key, is repeated after a lost
   * connection.
   * @throws EarmarkError with status 0 if the service does not respond
   */
  readonly send: (id: EndpointId, call?: Call) => Promise<Response>
  /** Returns the body as text. @throws EarmarkError for an error status */
  readonly text: (id: EndpointId, call?: Call) => Promise<string>
  /** Returns the validated JSON body. @throws EarmarkError for an error status or an invalid body */
  readonly json: <K extends EndpointId>(id: K, call?: Call) => Promise<ResponseOf<K>>
  /** Parses and validates a response body. @throws EarmarkError for an error status or an invalid body */
  readonly read: <K extends EndpointId>(
    id: K,
    response: Pick<Response, "status" | "headers">,
    text: string,
    fields?: readonly string[],
  ) => ResponseOf<K>
  readonly checkEvent: Checks["event"]
}

/** @throws EarmarkError */
export const parseJson = (status: number, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new EarmarkError(status, "The response is not JSON. Check the address of the service.", { cause })
  }
}

/** @param repeatsReads reads are repeated, too */
export const createTransport = (options: ClientOptions, checks: Checks, repeatsReads: boolean): Transport => {
  const base = (options.baseUrl ?? "").replace(/(?<!\/)\/+$/, "")
  const headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }
  const url: Transport["url"] = (id, { params = [], query = {}, fields } = {}) => {
    const rest = [...params]
    const path = ROUTES[id].path.replace(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())))
    const given = Object.entries({ ...query, fields }).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
    return `${base}${path}${search ? `?${search}` : ""}`
  }
  const { maxRetries = DEFAULT_MAX_RETRIES, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  /** Sends a request once. @throws EarmarkError if it takes too long */
  const sendOnce = async (address: string, init: RequestInit): Promise<Response> => {
    const timeout = new AbortController()
    const timer = init.body instanceof FormData ? undefined : setTimeout(() => timeout.abort(), timeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal
    try {
      return await (options.fetch ?? fetch)(address, { ...init, signal })
    } catch (cause) {
      if (!timeout.signal.aborted) throw cause
      const reason = `The service at ${base || "this address"} did not respond within ${timeoutMs / 1000} seconds.`
      throw new EarmarkError(0, reason, { cause })
    } finally {
      clearTimeout(timer)
    }
  }
  const send: Transport["send"] = async (id, call = {}) => {
    const { body, signal } = call
    const { method, takesKey } = ROUTES[id]
    const isJson = body !== undefined && !(body instanceof FormData)
    const init = {
      method,
      headers: {
        accept: "application/json",
        ...headers,
        ...(isJson && { "content-type": "application/json" }),
        ...(takesKey && { "idempotency-key": call.idempotencyKey ?? newIdempotencyKey() }),
        ...(call.ifMatch !== undefined && { "if-match": call.ifMatch }),
        ...call.headers,
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    }
    const isRepeatable = takesKey === true || (repeatsReads && method === "GET")
    const attempt = () => sendOnce(url(id, call), init)
    try {
      return await (isRepeatable ? sendWithRetries(attempt, { maxRetries, signal }) : attempt())
    } catch (cause) {
      if (signal?.aborted || cause instanceof EarmarkError) throw cause
      throw new EarmarkError(0, `Couldn't reach the service at ${base || "this address"}. Is it running?`, { cause })
    }
  }
  const read: Transport["read"] = (id, response, text, fields) => {
    const { status } = response
    if (status >= 400 || status < 200) throw errorOf(response, text)
    return checks.response(id, status, status === 204 ? undefined : parseJson(status, text), fields)
  }
  const json: Transport["json"] = async (id, call) => {
    const response = await send(id, call)
    return read(id, response, await response.text(), call?.fields)
  }
  const text: Transport["text"] = async (id, call) => {
    const response = await send(id, call)
    const body = await response.text()
    if (!response.ok) throw errorOf(response, body)
    return body
  }
  return { url, headers, send, json, text, read, checkEvent: checks.event }
}
