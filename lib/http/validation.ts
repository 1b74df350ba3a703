import type { ZodType } from "zod"
import { AppError } from "../domain/errors.ts"
import { isDecimal } from "../domain/schemas.ts"
import { fieldTypes } from "./field-types.ts"

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
