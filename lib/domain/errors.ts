/** Why something failed, from a closed list; each code has one HTTP status. */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
  bad_range: 416,
  invalid: 422,
  too_many: 429,
  internal: 500,
  unavailable: 503,
  capability_missing: 503,
  storage_full: 507,
} as const
export type ErrorCode = keyof typeof ERROR_STATUS

/** What a worker does about a failure: never again, again with backoff, or later without charging an attempt. */
export type RetryClass = "never" | "retry" | "later"

const BRAND = Symbol.for("earmark.AppError")

/**
 * The one error class that is meant for people: `message` is a sentence that says what to do.
 * Recognised by brand, because the web bundle and the front each carry a copy of this class.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly retry: RetryClass
  /** For `later` and for HTTP Retry-After, in milliseconds. */
  readonly retryInMs: number | undefined
  readonly [BRAND] = true

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retry?: RetryClass; retryInMs?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = "AppError"
    this.code = code
    this.retry = options.retry ?? "never"
    this.retryInMs = options.retryInMs
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }

  static is(error: unknown): error is AppError {
    return typeof error === "object" && error !== null && BRAND in error
  }
}

/** The message of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** How a worker treats a thrown value: an AppError says so itself, an unknown error is worth the bounded retries. */
export const retryClassOf = (error: unknown): RetryClass => (AppError.is(error) ? error.retry : "retry")
