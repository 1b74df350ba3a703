import { AppError, type ErrorCode } from "../../domain/errors.ts"
import type { Logger } from "../../platform/logger.ts"

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

export type ProblemAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const problemBody = (detail: string): string => JSON.stringify({ detail })

const INTERNAL = "Something went wrong inside the service; its log says what."

const EXTRA: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { "www-authenticate": "Bearer" },
}

/**
 * The one place where something thrown becomes an answer: an AppError by its code, anything else a generic 500 whose
 * cause is only in the log.
 */
export const toProblem = (error: unknown, log: Logger, where: string): ProblemAnswer => {
  const known = AppError.is(error)
  const status = known ? error.status : 500
  if (status >= 500) log[known && status !== 500 ? "warn" : "error"]({ err: error, where }, "request failed")
  else log.debug({ status, where, detail: (error as Error).message }, "request refused")
  const wait = known ? error.retryInMs : undefined
  return {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...(known ? EXTRA[error.code] : {}),
      ...(wait === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(wait / 1000))) }),
    },
    body: problemBody(known && status !== 500 ? error.message : INTERNAL),
  }
}
