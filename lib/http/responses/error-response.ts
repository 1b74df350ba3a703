import { AppError, ERROR_STATUS, type ErrorCode, type FieldError, INTERNAL_ERROR } from "../../domain/errors.ts"
import type { Logger } from "../../platform/logger.ts"

/** The methods that routes can handle. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

export type ErrorResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type ErrorContent = {
  /** One sentence for people. */
  readonly detail: string
  readonly code: ErrorCode
  readonly requestId: string | null | undefined
  readonly errors?: readonly FieldError[] | undefined
  readonly fields?: Readonly<Record<string, unknown>> | undefined
}

/** Returns the JSON body that every error has. */
export const errorBody = ({ detail, code, requestId, errors, fields }: ErrorContent): string =>
  JSON.stringify({ detail, code, ...(errors && { errors }), ...fields, ...(requestId && { request_id: requestId }) })

/** Returns the code of an error that has only a status, such as a 404 of Next.js. */
export const codeOfStatus = (status: number): ErrorCode => {
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[]
  return codes.find((code) => ERROR_STATUS[code] === status) ?? (status < 500 ? "bad_request" : "internal")
}

/** Returns the header that says what authentication a request lacks. */
const challengeHeader = ({ code, challenge }: AppError): Record<string, string> => {
  if (code !== "unauthorized" && challenge === undefined) return {}
  return { "www-authenticate": challenge === undefined ? "Bearer" : `Bearer ${challenge}` }
}

/**
 * Logs an error and converts it to a response: an AppError to its status and message, anything else to a generic 500.
 * @param where the method and path of the request, for the log
 */
export const toErrorResponse = (
  error: unknown,
  { log, where, requestId }: { readonly log: Logger; readonly where: string; readonly requestId: string | null },
): ErrorResponse => {
  const isAppError = AppError.is(error)
  const status = isAppError ? error.status : 500
  if (status >= 500)
    log[isAppError && status !== 500 ? "warn" : "error"]({ err: error, where, request_id: requestId }, "request failed")
  else log.debug({ status, where, request_id: requestId, detail: (error as Error).message }, "request rejected")
  const etag = isAppError ? error.fields?.etag : undefined
  const retryInMs = isAppError ? error.retryInMs : undefined
  return {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...(isAppError ? challengeHeader(error) : {}),
      ...(typeof etag === "string" ? { etag } : {}),
      ...(retryInMs === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(retryInMs / 1000))) }),
    },
    body: errorBody(
      isAppError && status !== 500
        ? { detail: error.message, code: error.code, errors: error.errors, fields: error.fields, requestId }
        : { detail: INTERNAL_ERROR, code: "internal", requestId },
    ),
  }
}
