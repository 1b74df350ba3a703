import type { ZodType, z } from "zod"
import { AppError } from "../domain/errors.ts"
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

/** Parses untrusted input. @throws AppError `invalid` with a message that names the field */
export const parseInput = <T>(schema: ZodType<T>, value: unknown, whole: string): T => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError("invalid", describeIssues(parsed.error.issues, whole))
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
  if (repeated !== undefined) throw new AppError("invalid", `${repeated.slice(0, 100)}: given twice, expected once`)
  return Object.fromEntries([...search].filter(([, value]) => value !== ""))
}
