import type { ZodType, z } from "zod"
import { AppError, type FieldError } from "../domain/errors.ts"
import { isDecimal } from "../domain/schemas.ts"
import { formatIssue } from "../domain/validation-messages.ts"
import { fieldTypes } from "./field-types.ts"

type Issue = z.core.$ZodIssue

const formatPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (name, key) => (typeof key === "number" ? `${name}[${key}]` : name ? `${name}.${String(key)}` : String(key)),
    "",
  )

const describeIssue = (issue: Issue, whole: string): string =>
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

/**
 * Prepares the text fields of a path or query for a schema that coerces numbers. Number() also accepts 0x10, 1e3 and
 * spaces; these become NaN, so that the schema rejects them.
 */
export const rejectNonDecimals = (
  fields: Readonly<Record<string, unknown>>,
  schema: ZodType,
): Record<string, unknown> => {
  const types = fieldTypes(schema)
  const isNumber = (name: string) => types.get(name)?.some((type) => type === "number" || type === "integer") ?? false
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" && isNumber(name) && !isDecimal(value) ? Number.NaN : value,
    ]),
  )
}

/** Returns a query string as an object without its empty values. @throws AppError `invalid` for a repeated name */
export const parseQueryString = (search: URLSearchParams): Record<string, string> => {
  const names = [...search.keys()]
  const repeated = names.find((name, i) => names.indexOf(name) !== i)
  if (repeated !== undefined) {
    const [name, msg] = [repeated.slice(0, 100), "given twice, expected once"]
    throw new AppError("invalid", `${name}: ${msg}`, { errors: [{ loc: ["query", name], msg, type: "repeated" }] })
  }
  return Object.fromEntries([...search].filter(([, value]) => value !== ""))
}
