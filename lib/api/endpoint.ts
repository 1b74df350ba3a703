import * as z from "zod"
import type { Scope } from "../domain/tokens.ts"
import type { HeaderName } from "./openapi/headers.ts"

/** A field of every object that a request creates (201, 202). */
export const requestWarnings = z
  .array(z.string())
  .optional()
  .describe("Unknown fields and query parameters of the request, which were ignored")

/** A schema under the name that the OpenAPI document gives it. */
export type NamedSchema = { readonly name: string; readonly schema: z.ZodType }

export type RequestHeader = {
  readonly name: string
  readonly isRequired?: boolean
  readonly description: string
  readonly example: string
}

/**
 * The declaration of an HTTP endpoint. The route that serves it, its entry in the OpenAPI document and its method of
 * the typed client are all derived from it.
 */
export type Endpoint = {
  readonly method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE"
  /** True for a POST that takes no `Idempotency-Key`, because it changes nothing or numbers its messages itself. */
  readonly withoutKey?: boolean
  /** True for a POST whose response contains a secret that must not be stored, not even to repeat the response. */
  readonly hasSecret?: boolean
  /** Path parameters are written `{name}`. */
  readonly path: `/${string}`
  /** The scope that a token needs. Null: the endpoint needs no token. */
  readonly scope: Scope | null
  readonly summary: string
  /** Name of the method of the client. */
  readonly call?: string
  /** Capability groups without which the endpoint answers 503. */
  readonly needs?: readonly ("rag" | "broker" | "mcp")[]
  /** Capability group without which the path does not exist: the endpoint answers 404. */
  readonly partOf?: "rag" | "broker"
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** JSON request body. */
  readonly body?: NamedSchema & { readonly example: unknown }
  /**
   * Multipart request body with one file, described by `file`. With `replaces`, the form also takes the fields of `body`
   * as text, and the file can be left out if the fields are enough. The handler reads the request itself.
   */
  readonly upload?: { readonly file: string; readonly replaces?: string }
  /** Media type of a body that the handler reads as bytes. */
  readonly rawBody?: { readonly type: string; readonly isRequired: boolean }
  /** Headers that the handler reads, besides those that the other properties imply. */
  readonly requestHeaders?: readonly RequestHeader[]
  /** Status of a successful response. The default is 200. */
  readonly status?: number
  /** JSON response body. `openapi/examples.ts` has an example of each. */
  readonly response?: NamedSchema
  /**
   * The object whose fields the query parameter `fields` selects: `response`, or the property of the response that is the
   * object or a list of such objects. Without it, the endpoint does not take `fields`.
   */
  readonly fieldsOf?: string
  /** Value of the `Location` header of a successful response. `{name}` stands for a field of the response. */
  readonly location?: `/${string}`
  /** Media types of a response that is not JSON. */
  readonly types?: readonly string[]
  /**
   * For a GET, true if the response has an ETag that changes with it; it then answers 304 to a current If-None-Match. For other
   * methods, true if the change is rejected unless If-Match names the current version.
   */
  readonly isVersioned?: boolean
  /** Schema of a server-sent event, `{event, data}`, if the endpoint can answer with an event stream. */
  readonly events?: NamedSchema
  /** Schema of a line, if the response has one JSON object per line. */
  readonly lines?: NamedSchema
  /** Headers of a successful response, besides those of every response. */
  readonly headers?: readonly HeaderName[]
  /** Statuses besides `status` that are not errors. With `hasBody`, the body is that of a successful response. */
  readonly otherStatuses?: Readonly<
    Record<
      number,
      { readonly description: string; readonly hasBody?: boolean; readonly headers?: readonly HeaderName[] }
    >
  >
  /** Error statuses besides those that `errorStatuses` derives. */
  readonly errors?: readonly ErrorStatus[]
}

export type Endpoints = Readonly<Record<string, Endpoint>>

/** The statuses of error responses. `openapi/errors.ts` describes them. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 416 | 422 | 429 | 460 | 503 | 507

/** Returns true if a request can be repeated with the same `Idempotency-Key` without running twice. */
export const takesIdempotencyKey = ({ method, withoutKey = false, hasSecret = false }: Endpoint): boolean =>
  method === "POST" && !withoutKey && !hasSecret

/** Returns true if a change is rejected with 412 when `If-Match` names another version than the current one. */
export const takesIfMatch = ({ method, isVersioned = false }: Endpoint): boolean => method !== "GET" && isVersioned

/** Returns true if the response has an ETag and is 304 when `If-None-Match` names it. */
export const hasEtag = ({ method, isVersioned = false }: Endpoint): boolean => method === "GET" && isVersioned

/** Returns the error statuses of an endpoint in ascending order: declared ones and those that its inputs imply. */
export const errorStatuses = (endpoint: Endpoint): number[] => {
  const { method, params, query, body, upload, needs, partOf, errors, requestHeaders, fieldsOf } = endpoint
  const statuses = [
    [401, 403, 405, 429],
    // A path that cannot be decoded is rejected, and so is a body of a wrong type or size that nobody reads.
    params ? [400, 404] : [],
    partOf ? [404] : [],
    method === "GET" || method === "HEAD" ? [] : [400, 413, 415],
    query || fieldsOf ? [422] : [],
    body || upload ? [422] : [],
    requestHeaders ? [422] : [],
    needs ? [503] : [],
    takesIfMatch(endpoint) ? [412] : [],
    takesIdempotencyKey(endpoint) ? [409, 422] : [],
    errors ?? [],
  ]
  return [...new Set<number>(statuses.flat())].sort((a, b) => a - b)
}
