import type { z } from "zod"
import { AppError } from "#lib/domain/errors.ts"
import { formatIssue } from "#lib/domain/validation-messages.ts"

/**
 * Validates arguments and flags by the schema of the API.
 * @param names the arguments and flags by field, where they differ from the field's name
 * @throws AppError `invalid` that names the argument or flag
 */
export const parseFlags = <T>(
  schema: z.ZodType<T>,
  given: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>> = {},
): T => {
  const parsed = schema.safeParse(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const [field] = issue.path
  if (field === undefined) throw new AppError("invalid", `The flags ${formatIssue(issue)}.`)
  const name = names[String(field)] ?? `--${String(field).replaceAll("_", "-")}`
  throw new AppError("invalid", `${name} ${formatIssue(issue)}`)
}
