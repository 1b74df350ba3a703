import type { ZodType, z } from "zod"
import { AppError } from "../domain/errors.ts"
import { isDecimal } from "../domain/schemas.ts"
import { issueText } from "../domain/validation-messages.ts"
import { fieldTypes } from "./field-types.ts"

type Issue = z.core.$ZodIssue

const nameOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (name, key) => (typeof key === "number" ? `${name}[${key}]` : name ? `${name}.${String(key)}` : String(key)),
    "",
  )

const sentence = (issue: Issue, whole: string): string => `${nameOf(issue.path) || whole}: ${issueText(issue)}`

/** One readable sentence that names the field, for the first of the issues. */
export const describeIssues = (issues: readonly Issue[], whole: string): string => {
  const [first, ...more] = issues
  if (!first) return `${whole}: not as expected`
  return `${sentence(first, whole)}${more.length > 0 ? ` (and ${more.length} more)` : ""}`
}

/** @throws AppError `invalid` naming the field; `whole` names the value itself ("the body"). */
export const parseInput = <T>(schema: ZodType<T>, value: unknown, whole: string): T => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError("invalid", describeIssues(parsed.error.issues, whole))
}

/**
 * The fields of an address, where everything is text, for a contract that coerces: what Number() would take beyond plain
 * decimal (0x10, 1e3, spaces) is no number.
 */
export const withPlainNumbers = (
  fields: Readonly<Record<string, unknown>>,
  schema: ZodType,
): Record<string, unknown> => {
  const types = fieldTypes(schema)
  const isNumber = (name: string) => types[name]?.some((type) => type === "number" || type === "integer") ?? false
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" && isNumber(name) && !isDecimal(value) ? Number.NaN : value,
    ]),
  )
}

/** A query string as an object; a name without a value counts as not given. @throws AppError `invalid` for a name that is given twice. */
export const queryObject = (search: URLSearchParams): Record<string, string> => {
  const names = [...search.keys()]
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new AppError("invalid", `${twice.slice(0, 100)}: given twice, once is expected`)
  return Object.fromEntries([...search].filter(([, value]) => value !== ""))
}
