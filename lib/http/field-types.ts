import * as z from "zod"

/** The parts of a JSON schema that say where a value has which fields. */
export type InputSchema = {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, InputSchema>>
  readonly required?: readonly string[]
  readonly items?: InputSchema
  readonly anyOf?: readonly InputSchema[]
  readonly oneOf?: readonly InputSchema[]
}

const cache = new WeakMap<z.ZodType, InputSchema>()

/** Returns the JSON schema of what a schema parses. */
export const inputSchema = (schema: z.ZodType): InputSchema => {
  const cached = cache.get(schema)
  if (cached) return cached
  const converted = z.toJSONSchema(schema, { io: "input" }) as InputSchema
  cache.set(schema, converted)
  return converted
}

/** A map, because the names of input fields may be those of `Object.prototype`. */
type FieldTypes = ReadonlyMap<string, readonly string[]>

const collectTypes = (schema: InputSchema): string[] =>
  schema.anyOf?.flatMap(collectTypes) ?? [schema.type ?? []].flat()

/** Returns the JSON types that a schema allows for each field, to convert input that consists of text only. */
export const fieldTypes = (schema: z.ZodType): FieldTypes =>
  new Map(Object.entries(inputSchema(schema).properties ?? {}).map(([name, field]) => [name, collectTypes(field)]))
