import { AppError, messageOf } from "../../errors.ts"
import { codeOf } from "../errors.ts"

const RETRY_IN_MS = 5_000

/** What a connection fails with when nobody answers, or nobody any more; and what the server says while it ends or starts. */
const GONE = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "57P",
  "08",
  "25P03",
]
/** OpenSSL's names, which Node hands on, for a certificate that it cannot follow to an authority, is another's or over. */
const UNTRUSTED = /CERT|UNABLE_TO_(GET|VERIFY)/
const TIMED_OUT = ["55P03", "57014"]
const REFUSED: Readonly<Record<string, string>> = {
  "28": "refuses the user or the password",
  "3D000": "has no database of this name; make it with: createdb",
  "42501": "does not let this user do that; let the user own the database",
  "25006": "takes no writes (it is a stand-by); name the one that does",
  "53300": "has no connection left; raise max_connections or lower SERVICE_DATABASE_POOL",
}

/** Two transactions that waited for each other, or wrote over each other: one of them has to begin anew. */
export const isCrossed = (error: unknown): boolean => ["40001", "40P01"].includes(codeOf(error) ?? "")

/** Whether the connection cannot be used any more. */
export const isGone = (error: unknown): boolean => {
  const code = codeOf(error)
  if (code !== undefined) return GONE.some((start) => code.startsWith(start))
  return /connection (terminated|ended|timeout)|timeout exceeded|not queryable|query read timeout/i.test(
    messageOf(causeOf(error)),
  )
}

/** Turns what the driver threw about the database `place` (its address without the password) into a sentence. */
export const postgresError = (error: unknown, place: string): unknown => {
  if (AppError.is(error)) return error
  const code = codeOf(error) ?? ""
  const fail = (kind: "unavailable" | "storage_full", sentence: string, retry: "retry" | "never") =>
    new AppError(kind, sentence, { cause: error, retry, ...(retry === "retry" && { retryInMs: RETRY_IN_MS }) })
  const known = Object.keys(REFUSED).find((start) => code.startsWith(start))
  if (known) return fail("unavailable", `The PostgreSQL ${place} ${REFUSED[known]}.`, "never")
  if (code === "53100")
    return fail("storage_full", `The disk of the PostgreSQL ${place} is full. Free some space.`, "retry")
  if (TIMED_OUT.includes(code))
    return fail("unavailable", `database is locked: the PostgreSQL ${place} was kept waiting for too long.`, "retry")
  if (isGone(error))
    return fail(
      "unavailable",
      `The PostgreSQL ${place} does not answer (${messageOf(causeOf(error))}). Start it, or mend the address.`,
      "retry",
    )
  if (/does not support SSL/i.test(messageOf(causeOf(error))))
    return fail(
      "unavailable",
      `The PostgreSQL ${place} takes no TLS. Turn it on there (ssl = on), or take sslmode out of its address.`,
      "never",
    )
  if (UNTRUSTED.test(code))
    return fail(
      "unavailable",
      `The certificate of the PostgreSQL ${place} is not trusted (${messageOf(causeOf(error))}). Name its authority in the address: sslmode=verify-full&sslrootcert=/path/ca.pem; sslmode=no-verify does without.`,
      "never",
    )
  // The builder's own error repeats the statement with its values, which may be what people said.
  return causeOf(error)
}

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? causeOf(error.cause) : error
