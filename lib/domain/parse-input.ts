import type { ZodType, z } from "zod"
import { AppError, type FieldError } from "./errors.ts"
import { formatIssue } from "./validation-messages.ts"

type Issue = z.core.$ZodIssue

/** Returns the path of a field as text, such as `edits[0].kind`. */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (name, key) => (typeof key === "number" ? `${name}[${key}]` : name ? `${name}.${String(key)}` : String(key)),
    "",
  )

/** Describes an issue in a sentence that names the field, or `whole` if the value itself is invalid. */
export const describeIssue = (issue: Issue, whole: string): string =>
  `${formatPath(issue.path) || whole}: ${formatIssue(issue)}`

/** Describes the first issue in a sentence that names the field. `whole` names the value itself, such as "the body". */
export const describeIssues = (issues: readonly Issue[], whole: string): string => {
  const [first, ...more] = issues
  if (!first) return `${whole}: invalid`
  return `${describeIssue(first, whole)}${more.length > 0 ? ` (and ${more.length} more)` : ""}`
}

const MAX_FIELD_ERRORS = 20

const toFieldError = (issue: Issue, part: string): FieldError => ({
  loc: [part, ...issue.path.map((key) => (typeof key === "number" ? key : String(key)))],
  msg: formatIssue(issue),
  type: issue.code ?? "custom",
})

/**
 * Parses untrusted input.
 * @param part the part of the request: "path", "query", "body" or "form"
 * @throws AppError `invalid` with a message that names the first invalid field, and with all of them in `errors`
 */
export const parseInput = <T>(schema: ZodType<T>, value: unknown, part: string): T => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const errors = issues.slice(0, MAX_FIELD_ERRORS).map((issue) => toFieldError(issue, part))
  throw new AppError("invalid", describeIssues(issues, `the ${part}`), { errors })
}
