import type { z } from "zod"
import { AppError, messageOf } from "#lib/domain/errors.ts"
import { formatIssue } from "#lib/domain/validation-messages.ts"

type FlagNames = Readonly<Record<string, string>>

const flagOf = (field: string, names: FlagNames): string => names[field] ?? `--${field.replaceAll("_", "-")}`

/**
 * Validates arguments and flags by the schema of the API.
 * @param names the arguments and flags by field, where they differ from the field's name
 * @throws AppError `invalid` that names the argument or flag
 */
export const parseFlags = <T>(
  schema: z.ZodType<T>,
  given: Readonly<Record<string, unknown>>,
  names: FlagNames = {},
): T => {
  const parsed = schema.safeParse(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const [field] = issue.path
  if (field !== undefined) throw new AppError("invalid", `${flagOf(String(field), names)} ${formatIssue(issue)}`)
  const text = formatIssue(issue).replaceAll(/\w+/g, (word) =>
    Object.hasOwn(given, word) ? flagOf(word, names) : word,
  )
  throw new AppError("invalid", `The command ${text}.`)
}

/** Returns what a call of the API returns. An error that begins with a field names the flag instead. @throws AppError */
export const nameFlags = <T>(names: FlagNames, call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    const message = messageOf(error)
    const [field = ""] = /^\w+/.exec(message) ?? []
    if (names[field] === undefined) throw error
    throw new AppError("invalid", `${names[field]}${message.slice(field.length)}`, { cause: error })
  })
