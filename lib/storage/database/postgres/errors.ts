import { AppError, messageOf } from "../../../domain/errors.ts"
import { codeOf } from "../errors.ts"

const RETRY_MS = 5_000

/** Codes of a refused or lost connection, and of a server that is starting or shutting down. */
const CONNECTION_LOST = [
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
/** OpenSSL's codes for a certificate that is expired, revoked or not signed by a known authority. */
const UNTRUSTED_CERTIFICATE = /CERT|UNABLE_TO_(GET|VERIFY)/
const TIMED_OUT = ["55P03", "57014"]
/** Messages for codes of the server, and whether retrying can help. */
const MESSAGES: Readonly<Record<string, readonly [message: string, retry: "retry" | "never"]>> = {
  "28": ["rejected the user or the password. Correct them in the address, or allow the user in pg_hba.conf.", "never"],
  "3D000": ["does not exist. Create it: createdb -E UTF8 -T template0 NAME", "never"],
  "42501": ["denied permission. Make this user the owner of the database.", "never"],
  "42P01": [
    "lacks Earmark's tables, because it was recreated. Restart every Earmark process. The first one creates the tables.",
    "retry",
  ],
  "25006": [
    "is read-only (a standby, or default_transaction_read_only is set). Promote it, remove that setting, or use the address of the primary.",
    "retry",
  ],
  "53300": ["has no free connections. Raise max_connections or lower SERVICE_DATABASE_POOL.", "retry"],
}
/** Codes of a text that PostgreSQL cannot store. */
const INVALID_TEXT = ["22021", "22P05"]
/** Codes of a certificate file that cannot be read. */
const UNREADABLE_FILE = ["ENOENT", "EACCES", "EISDIR"]

/** Returns true if the transaction must be repeated, because it conflicted or deadlocked with another. */
export const isSerializationFailure = (error: unknown): boolean => ["40001", "40P01"].includes(codeOf(error) ?? "")

/** Returns true if the connection can no longer be used. */
export const isConnectionLost = (error: unknown): boolean => {
  const code = codeOf(error)
  if (code !== undefined) return CONNECTION_LOST.some((prefix) => code.startsWith(prefix))
  return /connection (terminated|ended|timeout)|timeout exceeded|not queryable|query read timeout/i.test(
    messageOf(causeOf(error)),
  )
}

/** Returns the error for a server that rejects writes. */
export const readOnlyError = (location: string): unknown => toPostgresError({ code: "25006" }, location)

/**
 * Converts an error of the driver to an AppError. Returns other errors without the query builder's wrapper.
 * @param location the address without the password
 */
export const toPostgresError = (error: unknown, location: string): unknown => {
  if (AppError.is(error)) return error
  const code = codeOf(error) ?? ""
  const fail = (kind: "unavailable" | "storage_full", message: string, retry: "retry" | "never") =>
    new AppError(kind, message, { cause: error, retry, ...(retry === "retry" && { retryInMs: RETRY_MS }) })
  const known = Object.keys(MESSAGES).find((prefix) => code.startsWith(prefix))
  if (known)
    return fail("unavailable", `The PostgreSQL database ${location} ${MESSAGES[known]![0]}`, MESSAGES[known]![1])
  if (INVALID_TEXT.includes(code))
    return new AppError("invalid", "The text contains a NUL character, which PostgreSQL cannot store. Remove it.", {
      cause: error,
    })
  if (code === "53100")
    return fail(
      "storage_full",
      `The disk of the PostgreSQL server ${location} is full. Free some space there, then try again.`,
      "retry",
    )
  if (TIMED_OUT.includes(code))
    return fail(
      "unavailable",
      `database is locked: a statement on the PostgreSQL database ${location} waited for too long. Try again.`,
      "retry",
    )
  const { syscall, path } = causeOf(error) as NodeJS.ErrnoException
  if (UNREADABLE_FILE.includes(code) && syscall !== "connect")
    return fail(
      "unavailable",
      `The address of the PostgreSQL database ${location} names a file that cannot be read (${path ?? code}). Correct sslrootcert, sslcert or sslkey.`,
      "never",
    )
  if (isConnectionLost(error))
    return fail(
      "unavailable",
      `The PostgreSQL server ${location} does not answer (${messageOf(causeOf(error))}). Start it, or correct the address.`,
      "retry",
    )
  if (/does not support SSL/i.test(messageOf(causeOf(error))))
    return fail(
      "unavailable",
      `The PostgreSQL server ${location} does not support TLS. Enable it there (ssl = on), or remove sslmode from the address.`,
      "never",
    )
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return fail(
      "unavailable",
      `The certificate of the PostgreSQL server ${location} is for another host name (${messageOf(causeOf(error))}). Use that name in the address.`,
      "never",
    )
  if (UNTRUSTED_CERTIFICATE.test(code))
    return fail(
      "unavailable",
      `The certificate of the PostgreSQL server ${location} is not trusted (${messageOf(causeOf(error))}). Add its authority to the address (sslmode=verify-full&sslrootcert=/path/ca.pem), or disable the check with sslmode=no-verify.`,
      "never",
    )
  // The query builder's error contains the statement with its values, which may be private text.
  return causeOf(error)
}

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? causeOf(error.cause) : error
