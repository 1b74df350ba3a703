import type { FieldError } from "../../domain/errors.ts"
import { parseRetryAfterMs } from "../../domain/retry-after.ts"

type ErrorFields = {
  readonly code?: string | undefined
  readonly errors?: readonly FieldError[] | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
}

/** An error response of the service. `detail` is its message; `status` is 0 if the service could not be reached. */
export class EarmarkError extends Error {
  readonly status: number
  readonly detail: string
  /** The code for programs, such as "not_found". Undefined if the error is not from the service. */
  readonly code: string | undefined
  /** The invalid parts of the request, if it was invalid. */
  readonly errors: readonly FieldError[] | undefined
  /** The ID of the request in the log of the service. */
  readonly requestId: string | undefined
  /** After how long the service asks to try again. */
  readonly retryAfterMs: number | undefined

  constructor(
    status: number,
    detail: string,
    { cause, code, errors, requestId, retryAfterMs }: ErrorFields & { cause?: unknown } = {},
  ) {
    super(detail, cause === undefined ? undefined : { cause })
    this.name = "EarmarkError"
    this.status = status
    this.detail = detail
    this.code = code
    this.errors = errors
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }
}

type ErrorBody = { detail?: unknown; code?: string; errors?: readonly FieldError[]; request_id?: string }

/** Returns the error of a response. A body of another kind, such as a proxy's page, gives a generic message. */
export const errorOf = ({ status, headers }: Pick<Response, "status" | "headers">, text: string): EarmarkError => {
  const retryAfterMs = parseRetryAfterMs(headers.get("retry-after") ?? undefined) ?? undefined
  try {
    const { detail, code, errors, request_id: requestId } = Object(JSON.parse(text)) as ErrorBody
    if (typeof detail === "string") return new EarmarkError(status, detail, { code, errors, requestId, retryAfterMs })
  } catch {
    // Not JSON.
  }
  return new EarmarkError(status, `The service answered with status ${status} and no error message.`, { retryAfterMs })
}
