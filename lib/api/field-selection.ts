import * as z from "zod"
import { parseInput } from "../domain/parse-input.ts"
import type { Endpoint } from "./endpoint.ts"

/** The response of an endpoint, and the object in it whose fields `fields` selects. */
type Selectable = {
  readonly part: z.ZodObject
  /** Returns the schema of the response with another schema of that object. */
  readonly withPart: (part: z.ZodObject) => z.ZodType
}

const findSelectable = ({ response, fieldsOf }: Endpoint): Selectable | null => {
  if (fieldsOf === undefined) return null
  const whole = response?.schema as z.ZodObject
  if (fieldsOf === "response") return { part: whole, withPart: (part) => part }
  const inner = whole.shape[fieldsOf] as z.ZodArray<z.ZodObject> | z.ZodObject
  return inner instanceof z.ZodArray
    ? { part: inner.element, withPart: (part) => whole.extend({ [fieldsOf]: z.array(part) }) }
    : { part: inner, withPart: (part) => whole.extend({ [fieldsOf]: part }) }
}

/** Returns the names that the query parameter `fields` can have; none if the endpoint does not take it. */
export const selectableFields = (endpoint: Endpoint): string[] =>
  Object.keys(findSelectable(endpoint)?.part.shape ?? {})

/**
 * Returns the fields that a query string selects: undefined for all of them. Names are separated by commas or given in
 * several parameters.
 * @throws AppError `invalid` if the response has no field of a name
 */
export const readFields = (endpoint: Endpoint, search: URLSearchParams): string[] | undefined => {
  const given = search.getAll("fields").join(",")
  const known = selectableFields(endpoint)
  if (known.length === 0 || given === "") return undefined
  const fields = given.split(",").map((name) => name.trim())
  return parseInput(z.object({ fields: z.array(z.enum(known)) }), { fields }, "query").fields
}

/** Returns the schema of a response with the selected fields, or with all of them. */
export const responseSchema = (endpoint: Endpoint, fields: readonly string[] | undefined): z.ZodType | undefined => {
  const selectable = fields && findSelectable(endpoint)
  if (!selectable) return endpoint.response?.schema
  const { shape } = selectable.part
  return selectable.withPart(z.object(Object.fromEntries(fields.map((name) => [name, shape[name]!]))))
}
