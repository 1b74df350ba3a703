import * as z from "zod"
import type { ErrorCode } from "../../domain/errors.ts"
import type { ErrorStatus } from "../endpoint.ts"
import { describeHeaders, type HeaderName } from "./headers.ts"
import { type Json, reference } from "./json.ts"

/** Body of every error response. */
export const problem = z.object({
  detail: z.string().describe("One sentence for people: what happened, and what to do"),
  code: z.string().describe("For programs, such as `not_found` or `invalid`"),
  errors: z
    .array(
      z.object({
        loc: z.array(z.union([z.string(), z.int()])).describe('Leads to the part, as in `["body", "speakers"]`'),
        msg: z.string().describe("What is wrong. It follows the name of the part"),
        type: z.string().describe("For programs, such as `too_small`"),
      }),
    )
    .optional()
    .describe("The invalid parts of the request"),
  etag: z.string().optional().describe("The current version, if `If-Match` names another one (412)"),
  updated_at: z.string().optional().describe("When that version was made"),
  changed: z.array(z.string()).optional().describe("What differs: `title`, `speakers`, `transcript` or `topics`"),
  request_id: z.string().optional().describe("As in the header `x-request-id` and the log of the service"),
})

type Problem = z.infer<typeof problem> & { readonly code: ErrorCode }

type ErrorResponse = {
  /** The name of the response in the OpenAPI document. */
  readonly name: string
  readonly description: string
  readonly example: Problem
  readonly headers?: readonly HeaderName[]
}

const REQUEST_ID = "01a1f2c0-5f3a-7c1e-8a55-3f1d2b9e7a10"

const exampleOf = (code: ErrorCode, detail: string): Problem => ({ detail, code, request_id: REQUEST_ID })

/** The error responses by status. */
const ERROR_RESPONSES: Readonly<Record<ErrorStatus, ErrorResponse>> = {
  400: {
    name: "BadRequest",
    description: "Malformed JSON, or a path that cannot be decoded",
    example: exampleOf("bad_request", "The body is not JSON."),
  },
  401: {
    name: "Unauthorized",
    description: "Missing, unknown or expired token; the `WWW-Authenticate` header and `detail` say which",
    example: exampleOf(
      "unauthorized",
      "This service requires a token. Send 'Authorization: Bearer' with SERVICE_API_TOKEN or an API token (earmark tokens create), or sign in at /login.",
    ),
    headers: ["WWW-Authenticate"],
  },
  403: {
    name: "Forbidden",
    description:
      "The token lacks the scope (`insufficient_scope`), or a path, Host or Origin is not allowed (`forbidden`)",
    example: exampleOf(
      "forbidden",
      "'/etc/passwd' is outside the allowed folders. Add its folder to SERVICE_INGEST_ROOTS.",
    ),
  },
  404: { name: "NotFound", description: "Not found", example: exampleOf("not_found", "unknown clip 'nobody'") },
  405: {
    name: "MethodNotAllowed",
    description: "Method not allowed",
    example: exampleOf("method_not_allowed", "PUT is not allowed for this path. It supports GET, HEAD, OPTIONS."),
    headers: ["Allow"],
  },
  409: {
    name: "Conflict",
    description:
      "Not possible in the current state; `detail` names it. Or a request with the same `Idempotency-Key` is running",
    example: exampleOf("conflict", "job '01a1' is running, not done"),
    headers: ["Retry-After"],
  },
  412: {
    name: "PreconditionFailed",
    description: "What the request changes is no longer what `If-Match` names; `detail` says what has changed",
    example: {
      ...exampleOf(
        "precondition_failed",
        "The title changed since the version in If-Match; the last change was at 2026-11-23T10:00:00.000Z. Read it again, then repeat your change with the new ETag.",
      ),
      etag: '"mix9k2o0-n2.s0.w1.t5"',
      updated_at: "2026-11-23T10:00:00.000Z",
      changed: ["title"],
    },
    headers: ["ETag"],
  },
  413: {
    name: "TooLarge",
    description: "Too large",
    example: exampleOf("too_large", "The JSON body is larger than the limit of 32 MB."),
  },
  415: {
    name: "UnsupportedMediaType",
    description: "Unsupported media type",
    example: exampleOf("unsupported_media", "The body must be application/json, not text/plain."),
  },
  416: {
    name: "RangeNotSatisfiable",
    description: "Range not satisfiable",
    example: exampleOf("bad_range", "The requested range begins after the end of the recording, which has 4096 bytes."),
    headers: ["Content-Range"],
  },
  422: {
    name: "Invalid",
    description: "Missing or invalid field; `detail` names it. Or the `Idempotency-Key` belongs to another request",
    example: {
      ...exampleOf("invalid", "speakers: must be at least 1"),
      errors: [{ loc: ["body", "speakers"], msg: "must be at least 1", type: "too_small" }],
    },
  },
  429: {
    name: "TooManyRequests",
    description: "Too many wrong tokens",
    example: exampleOf(
      "too_many",
      "Too many wrong tokens from this address. Wait for the time in Retry-After, then send the right token.",
    ),
    headers: ["Retry-After"],
  },
  460: {
    name: "ChecksumMismatch",
    description: "The body does not match its `Upload-Checksum`; nothing of it is stored",
    example: exampleOf("checksum_mismatch", "The body does not match its Upload-Checksum. Send the part again."),
  },
  503: {
    name: "Unavailable",
    description: "A component is missing or unavailable; `detail` says what to do",
    example: exampleOf(
      "unavailable",
      "The model server at http://127.0.0.1:11434 does not answer. Start it: ollama serve",
    ),
    headers: ["Retry-After"],
  },
  507: {
    name: "StorageFull",
    description: "Not enough disk space",
    example: exampleOf("storage_full", "The disk is full. Free some space and try again."),
  },
}

export const errorReference = (status: number): Json => ({
  $ref: `#/components/responses/${ERROR_RESPONSES[status as ErrorStatus].name}`,
})

/** Returns the error responses by name. */
export const describeErrors = (): Json =>
  Object.fromEntries(
    Object.values(ERROR_RESPONSES).map(({ name, description, example, headers = [] }) => [
      name,
      {
        description,
        headers: describeHeaders(headers),
        content: { "application/json": { schema: reference("Problem"), example } },
      },
    ]),
  )
