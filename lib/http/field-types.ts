import { type ZodType, z } from "zod"

type JsonSchema = { readonly type?: string; readonly anyOf?: readonly JsonSchema[] }
type FieldTypes = Readonly<Record<string, readonly string[]>>

const collectTypes = (schema: JsonSchema): string[] =>
  schema.anyOf?.flatMap(collectTypes) ?? (schema.type === undefined ? [] : [schema.type])

const cache = new WeakMap<ZodType, FieldTypes>()

/** Returns the JSON types that a schema allows for each field, to convert input that consists of text only. */
export const fieldTypes = (schema: ZodType): FieldTypes => {
  const cached = cache.get(schema)
  if (cached) return cached
  const properties = (z.toJSONSchema(schema, { io: "input" }).properties ?? {}) as Record<string, JsonSchema>
  const types = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, collectTypes(field)]))
  cache.set(schema, types)
  return types
}
