import { AppError, messageOf } from "../../../domain/errors.ts"
import { codeOf } from "../errors.ts"

const RETRY_IN_MS = 5_000

/** What a connection fails with when nobody answers, or nobody any more; and what the server says while it ends or starts. */
const GONE = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
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
/** What the server says no to, and whether that passes by itself or by somebody who works on the server. */
const REFUSED: Readonly<Record<string, readonly [sentence: string, retry: "retry" | "never"]>> = {
  "28": ["refuses the user or the password; mend them in its address, or let them in (pg_hba.conf)", "never"],
  "3D000": ["is not there; make it with: createdb -E UTF8 -T template0 NAME", "never"],
  "42501": ["does not let this user do that; let the user own the database", "never"],
  "42P01": [
    "lacks the tables of Earmark: it was made anew meanwhile. Start every process of Earmark again, the first one makes them",
    "retry",
  ],
  "25006": [
    "takes no writes (it is a stand-by, or set to read only); promote it, take default_transaction_read_only away, or name the one that does",
    "retry",
  ],
  "53300": ["has no connection left; raise max_connections or lower SERVICE_DATABASE_POOL", "retry"],
}
/** A text that the server cannot keep. */
const NO_TEXT = ["22021", "22P05"]
/** Files that the address names, and that are no certificates. */
const NO_FILE = ["ENOENT", "EACCES", "EISDIR"]

/** Two transactions that waited for each other, or wrote over each other: one of them has to begin anew. */
export const isSerializationFailure = (error: unknown): boolean => ["40001", "40P01"].includes(codeOf(error) ?? "")

/** Whether the connection cannot be used any more. */
export const isConnectionLost = (error: unknown): boolean => {
  const code = codeOf(error)
  if (code !== undefined) return GONE.some((start) => code.startsWith(start))
  return /connection (terminated|ended|timeout)|timeout exceeded|not queryable|query read timeout/i.test(
    messageOf(causeOf(error)),
  )
}

/** What a write to a stand-by would fail with. */
export const readOnly = (place: string): unknown => postgresError({ code: "25006" }, place)

/** Turns what the driver threw about the database `place` (its address without the password) into a sentence. */
export const postgresError = (error: unknown, place: string): unknown => {
  if (AppError.is(error)) return error
  const code = codeOf(error) ?? ""
  const fail = (kind: "unavailable" | "storage_full", sentence: string, retry: "retry" | "never") =>
    new AppError(kind, sentence, { cause: error, retry, ...(retry === "retry" && { retryInMs: RETRY_IN_MS }) })
  const known = Object.keys(REFUSED).find((start) => code.startsWith(start))
  if (known) return fail("unavailable", `The PostgreSQL ${place} ${REFUSED[known]![0]}.`, REFUSED[known]![1])
  if (NO_TEXT.includes(code))
    return new AppError(
      "invalid",
      "A text holds a character of the code 0, which PostgreSQL does not keep. Leave it out.",
      {
        cause: error,
      },
    )
  if (code === "53100")
    return fail("storage_full", `The disk of the PostgreSQL ${place} is full. Free some space.`, "retry")
  if (TIMED_OUT.includes(code))
    return fail("unavailable", `database is locked: the PostgreSQL ${place} was kept waiting for too long.`, "retry")
  const { syscall, path } = causeOf(error) as NodeJS.ErrnoException
  if (NO_FILE.includes(code) && syscall !== "connect")
    return fail(
      "unavailable",
      `The address of the PostgreSQL ${place} names a file that cannot be read (${path ?? code}): mend sslrootcert, sslcert or sslkey.`,
      "never",
    )
  if (isConnectionLost(error))
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
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return fail(
      "unavailable",
      `The certificate of the PostgreSQL ${place} is for another name (${messageOf(causeOf(error))}). Write that name in the address.`,
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
