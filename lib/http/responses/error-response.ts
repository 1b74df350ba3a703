import { AppError, type ErrorCode } from "../../domain/errors.ts"
import type { Logger } from "../../platform/logger.ts"

/** The methods that routes can handle. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

export const INTERNAL_ERROR = "Something went wrong in the service. See its log for the cause."

export type ErrorResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Returns the JSON body that every error has. */
export const errorBody = (detail: string): string => JSON.stringify({ detail })

const EXTRA_HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { "www-authenticate": "Bearer" },
}

/**
 * Logs an error and converts it to a response: an AppError to its status and message, anything else to a generic 500.
 * @param where the method and path of the request, for the log
 */
export const toErrorResponse = (error: unknown, log: Logger, where: string): ErrorResponse => {
  const isAppError = AppError.is(error)
  const status = isAppError ? error.status : 500
  if (status >= 500) log[isAppError && status !== 500 ? "warn" : "error"]({ err: error, where }, "request failed")
  else log.debug({ status, where, detail: (error as Error).message }, "request rejected")
  const retryInMs = isAppError ? error.retryInMs : undefined
  return {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...(isAppError ? EXTRA_HEADERS[error.code] : {}),
      ...(retryInMs === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(retryInMs / 1000))) }),
    },
    body: errorBody(isAppError && status !== 500 ? error.message : INTERNAL_ERROR),
  }
}
