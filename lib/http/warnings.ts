import type { ZodType } from "zod"
import { formatPath } from "../domain/parse-input.ts"
import { findNearestName } from "../domain/text/nearest-name.ts"
import { inputSchema } from "./field-types.ts"
import { findUnknownFields, type UnknownField } from "./unknown-fields.ts"

const MAX_WARNINGS = 10
const MAX_NAME_CHARS = 60

/** The warnings of requests that are being handled. */
const warningsByRequest = new WeakMap<Request, readonly string[]>()

/** Without a schema, no field is known. */
const listUnknown = (given: unknown, schema: ZodType | undefined): Iterable<UnknownField> =>
  schema
    ? findUnknownFields(given, inputSchema(schema))
    : Object.keys(Object(given)).map((name) => ({ path: [], name, known: [] }))

type KnownFields = {
  readonly schema: ZodType | undefined
  readonly kind: "field" | "query parameter"
  /** Names besides those of the schema, to suggest for a similar one. */
  readonly others?: readonly string[]
}

/** Returns a warning for each field of a body or query that the schema does not have, also for those of nested objects. */
export const describeUnknownFields = (given: unknown, { schema, kind, others = [] }: KnownFields): string[] => {
  const warnings: string[] = []
  for (const { path, name, known } of listUnknown(given, schema)) {
    if (warnings.length === MAX_WARNINGS) break
    const nearest = findNearestName(name, [...known, ...others])
    const hint = nearest === null ? "" : `; did you mean '${nearest}'?`
    warnings.push(`unknown ${kind} '${formatPath([...path, name.slice(0, MAX_NAME_CHARS)])}' ignored${hint}`)
  }
  return warnings
}

/** Adds warnings to the response to a request. */
export const noteWarnings = (request: Request, warnings: readonly string[]): void => {
  const all = [...getWarnings(request), ...warnings]
  if (all.length > 0) warningsByRequest.set(request, all.slice(0, MAX_WARNINGS))
}

/** Notes the fields of a body or query that the schema does not have. They are ignored, and the response names them. */
export const noteUnknownFields = (request: Request, given: unknown, known: KnownFields): void =>
  noteWarnings(request, describeUnknownFields(given, known))

export const getWarnings = (request: Request): readonly string[] => warningsByRequest.get(request) ?? []

/** Replaces what a header must not contain. */
const toHeaderValue = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?")

/** Adds the warnings of a request to its response, in the header `earmark-warnings`. */
export const addWarningsHeader = (request: Request, response: Response): Response => {
  const warnings = getWarnings(request)
  if (warnings.length > 0) response.headers.set("earmark-warnings", warnings.map(toHeaderValue).join("; "))
  return response
}
