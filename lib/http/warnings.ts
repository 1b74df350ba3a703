import type { ZodType } from "zod"
import { findNearestName } from "../domain/text/nearest-name.ts"
import { fieldTypes } from "./field-types.ts"

const MAX_WARNINGS = 10
const MAX_NAME_CHARS = 60

/** The warnings of requests that are being handled. */
const warningsByRequest = new WeakMap<Request, string[]>()

/** Notes the fields of a body or query that the schema does not have. They are ignored, and the response names them. */
export const noteUnknownFields = (
  request: Request,
  given: unknown,
  { schema, kind }: { readonly schema: ZodType | undefined; readonly kind: "field" | "query parameter" },
): void => {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return
  const known = schema ? [...fieldTypes(schema).keys()] : []
  // The schema has no fixed fields.
  if (schema && known.length === 0) return
  const warnings = warningsByRequest.get(request) ?? []
  for (const name of Object.keys(given)) {
    if (known.includes(name) || warnings.length === MAX_WARNINGS) continue
    const nearest = findNearestName(name, known)
    const hint = nearest === null ? "" : `; did you mean '${nearest}'?`
    warnings.push(`unknown ${kind} '${name.slice(0, MAX_NAME_CHARS)}' ignored${hint}`)
  }
  if (warnings.length > 0) warningsByRequest.set(request, warnings)
}

export const getWarnings = (request: Request): readonly string[] => warningsByRequest.get(request) ?? []

/** Replaces what a header must not contain. */
const toHeaderValue = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?")

/** Adds the warnings of a request to its response, in the header `earmark-warnings`. */
export const addWarningsHeader = (request: Request, response: Response): Response => {
  const warnings = getWarnings(request)
  if (warnings.length > 0) response.headers.set("earmark-warnings", warnings.map(toHeaderValue).join("; "))
  return response
}
