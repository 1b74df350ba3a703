/** The error codes and their HTTP statuses. */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  idempotency_key_in_use: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media: 415,
  bad_range: 416,
  checksum_mismatch: 460,
  invalid: 422,
  idempotency_key_reused: 422,
  too_many: 429,
  internal: 500,
  unavailable: 503,
  capability_missing: 503,
  storage_full: 507,
} as const
export type ErrorCode = keyof typeof ERROR_STATUS

/** How a worker handles a failure: fail the stage, retry with backoff, or defer without using an attempt. */
export type RetryClass = "never" | "retry" | "later"

/** An invalid part of a request. `loc` leads to it, as in ["body", "speakers"]; `msg` follows its name; `type` is for programs. */
export type FieldError = { readonly loc: readonly (string | number)[]; readonly msg: string; readonly type: string }

const BRAND = Symbol.for("earmark.AppError")

/**
 * An error whose `message` is shown to users: it says what happened, why, and what to do. Identified by a brand instead of
 * `instanceof`, because the web bundle and the server each contain a copy of this class.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly retry: RetryClass
  /** The delay for `later` and for the HTTP header Retry-After. */
  readonly retryInMs: number | undefined
  /** The invalid parts of a request. */
  readonly errors: readonly FieldError[] | undefined
  /** What the HTTP header WWW-Authenticate says besides the scheme (RFC 6750), such as `error="invalid_token"`. */
  readonly challenge: string | undefined
  /** More fields of the body of the error. `etag` is also sent as a header. */
  readonly fields: Readonly<Record<string, unknown>> | undefined
  readonly [BRAND] = true

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      cause?: unknown
      retry?: RetryClass
      retryInMs?: number
      errors?: readonly FieldError[]
      challenge?: string
      fields?: Readonly<Record<string, unknown>>
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = "AppError"
    this.code = code
    this.retry = options.retry ?? "never"
    this.retryInMs = options.retryInMs
    this.errors = options.errors
    this.challenge = options.challenge
    this.fields = options.fields
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }

  static is(error: unknown): error is AppError {
    return typeof error === "object" && error !== null && BRAND in error
  }
}

/** The message of an error that only the log explains. */
export const INTERNAL_ERROR = "Something went wrong in the service. See its log for the cause."

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Returns how a worker handles a thrown value. Errors other than AppError are retried. */
export const retryClassOf = (error: unknown): RetryClass => (AppError.is(error) ? error.retry : "retry")
