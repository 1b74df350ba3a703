import { AppError, messageOf } from "#lib/domain/errors.ts"

/** Prints a result: text on a terminal, JSON into a pipe or file. */
export const printResult = (value: unknown, text?: () => string): void => {
  process.stdout.write(text && process.stdout.isTTY ? `${text()}\n` : `${JSON.stringify(value, null, 2)}\n`)
}

/** Prints an error to stderr. @returns the exit code: 2 for invalid input, else 1 */
export const reportFailure = (error: unknown): number => {
  process.stderr.write(`earmark: ${messageOf(error)}\n`)
  if (!AppError.is(error)) {
    if (process.env.SERVICE_LOG_LEVEL === "debug" && error instanceof Error) process.stderr.write(`${error.stack}\n`)
    return 1
  }
  return error.code === "invalid" || error.code === "bad_request" ? 2 : 1
}

/** Formats seconds as M:SS or H:MM:SS. */
export const formatTime = (seconds: number): string => {
  const s = Math.max(0, Math.floor(seconds))
  const pad = (n: number) => String(n).padStart(2, "0")
  const h = Math.floor(s / 3600)
  return h ? `${h}:${pad(Math.floor(s / 60) % 60)}:${pad(s % 60)}` : `${Math.floor(s / 60)}:${pad(s % 60)}`
}
