import { type ZodObject, type ZodType, z } from "zod"

/** A field of every object that a request creates (201, 202). */
export const requestWarnings = z
  .array(z.string())
  .optional()
  .describe("Unknown fields and query parameters of the request, which were ignored")

/** A schema under the name that the OpenAPI document gives it. */
export type NamedSchema = { readonly name: string; readonly schema: ZodType; readonly example?: unknown }

/**
 * The declaration of an HTTP endpoint. The route that serves it, its entry in the OpenAPI document and its method of
 * the typed client are all derived from it.
 */
export type Endpoint = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  /** True for a POST that changes nothing. Other POSTs take an `Idempotency-Key`. */
  readonly readOnly?: boolean
  /** Path parameters are written `{name}`. */
  readonly path: `/${string}`
  readonly summary: string
  /** Name of the method of `earmark/client`. */
  readonly call?: string
  /** Capability groups without which the endpoint answers 503. */
  readonly needs?: readonly ("rag" | "broker")[]
  /** Capability group without which the path does not exist: the endpoint answers 404. */
  readonly partOf?: "rag" | "broker"
  readonly params?: ZodObject
  readonly query?: ZodObject
  /** JSON request body. */
  readonly body?: NamedSchema & { readonly example: unknown }
  /**
   * Multipart request body with one file, described by `file`. With `replaces`, the form also takes the fields of
   * `body` as text, except the field that the file replaces. The handler reads the request itself.
   */
  readonly upload?: { readonly file: string; readonly replaces?: string }
  /** Status of a successful response. The default is 200. */
  readonly status?: number
  /** JSON response body. */
  readonly response?: NamedSchema
  /** Value of the `Location` header of a successful response. `{name}` stands for a field of the response. */
  readonly location?: `/${string}`
  /** Media type of a response that is not JSON. */
  readonly type?: string
  /** Schema of a server-sent event, `{event, data}`, if the endpoint can answer with an event stream. */
  readonly events?: ZodType
  /** Statuses besides `status` that are not errors. With `hasBody`, the body is that of a successful response. */
  readonly otherStatuses?: Readonly<Record<number, { readonly description: string; readonly hasBody?: boolean }>>
  /** Error statuses besides those that `errorStatuses` derives. */
  readonly errors?: readonly ErrorStatus[]
}

export type Endpoints = Readonly<Record<string, Endpoint>>

/** Meaning of each error status in the OpenAPI document. */
export const ERROR_DESCRIPTIONS = {
  400: "Malformed JSON, or a path that cannot be decoded",
  401: "Missing or wrong token",
  403: "Path outside the allowed folders, or Host or Origin not allowed",
  404: "Not found",
  405: "Method not allowed; the `Allow` header lists the methods of this path",
  409: "Not possible in the current state; `detail` names it. Or a request with the same `Idempotency-Key` is running",
  413: "Too large",
  415: "Unsupported media type",
  416: "Range not satisfiable; the `Content-Range` header states the size",
  422: "Missing or invalid field; `detail` names it. Or the `Idempotency-Key` belongs to another request",
  429: "Too many wrong tokens; the `Retry-After` header says when to try again",
  503: "A component is missing or unavailable; `detail` says what to do",
  507: "Not enough disk space",
} as const
export type ErrorStatus = keyof typeof ERROR_DESCRIPTIONS

/** Returns true if a request can be repeated with the same `Idempotency-Key` without running twice. */
export const takesIdempotencyKey = ({ method, readOnly = false }: Endpoint): boolean => method === "POST" && !readOnly

/** Returns the error statuses of an endpoint in ascending order: declared ones and those that its inputs imply. */
export const errorStatuses = (endpoint: Endpoint): number[] => {
  const { params, query, body, upload, needs, partOf, errors } = endpoint
  const statuses = [
    [401, 403, 405, 429],
    params || partOf ? [404] : [],
    query ? [422] : [],
    body || upload ? [400, 413, 415, 422] : [],
    needs ? [503] : [],
    takesIdempotencyKey(endpoint) ? [409, 422] : [],
    errors ?? [],
  ]
  return [...new Set<number>(statuses.flat())].sort((a, b) => a - b)
}
