import type { FieldError } from "../../domain/errors.ts"

type ErrorFields = {
  readonly code?: string | undefined
  readonly errors?: readonly FieldError[] | undefined
  readonly requestId?: string | undefined
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

  constructor(
    status: number,
    detail: string,
    { cause, code, errors, requestId }: ErrorFields & { cause?: unknown } = {},
  ) {
    super(detail, cause === undefined ? undefined : { cause })
    this.name = "EarmarkError"
    this.status = status
    this.detail = detail
    this.code = code
    this.errors = errors
    this.requestId = requestId
  }
}

type ErrorBody = { detail?: unknown; code?: string; errors?: readonly FieldError[]; request_id?: string }

/** Returns the error of a response. A body of another kind, such as a proxy's page, gives a generic message. */
export const errorOf = (status: number, text: string): EarmarkError => {
  try {
    const { detail, code, errors, request_id: requestId } = Object(JSON.parse(text)) as ErrorBody
    if (typeof detail === "string") return new EarmarkError(status, detail, { code, errors, requestId })
  } catch {
    // Not JSON.
  }
  return new EarmarkError(status, `The service answered with status ${status} and no error message.`)
}
