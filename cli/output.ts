import { EarmarkError } from "#lib/api/client/errors.ts"
import { AppError, messageOf } from "#lib/domain/errors.ts"
import { formatClock } from "#lib/domain/text/format-clock.ts"

let isJsonForced = false

/** Prints results as JSON at a terminal, too. */
export const forceJson = (): void => {
  isJsonForced = true
}

/** Prints a result: text on a terminal, JSON into a pipe or file. */
export const printResult = (value: unknown, text?: () => string): void => {
  const asText = text !== undefined && process.stdout.isTTY && !isJsonForced
  process.stdout.write(asText ? `${text()}\n` : `${JSON.stringify(value, null, 2)}\n`)
}

/** Prints an error to stderr. @returns the exit code: 2 for invalid input, else 1 */
export const reportFailure = (error: unknown): number => {
  process.stderr.write(`earmark: ${messageOf(error)}\n`)
  if (error instanceof EarmarkError) return error.status === 400 || error.status === 422 ? 2 : 1
  if (!AppError.is(error)) {
    if (process.env.SERVICE_LOG_LEVEL === "debug" && error instanceof Error) process.stderr.write(`${error.stack}\n`)
    return 1
  }
  return error.code === "invalid" || error.code === "bad_request" ? 2 : 1
}

/** Formats seconds as M:SS or H:MM:SS. */
export const formatTime = formatClock
