import { type ZodType, z } from "zod"

type JsonSchema = { readonly type?: string | readonly string[]; readonly anyOf?: readonly JsonSchema[] }
/** A map, because the names of input fields may be those of `Object.prototype`. */
type FieldTypes = ReadonlyMap<string, readonly string[]>

const collectTypes = (schema: JsonSchema): string[] => schema.anyOf?.flatMap(collectTypes) ?? [schema.type ?? []].flat()

const cache = new WeakMap<ZodType, FieldTypes>()

/** Returns the JSON types that a schema allows for each field, to convert input that consists of text only. */
export const fieldTypes = (schema: ZodType): FieldTypes => {
  const cached = cache.get(schema)
  if (cached) return cached
  const properties = (z.toJSONSchema(schema, { io: "input" }).properties ?? {}) as Record<string, JsonSchema>
  const types = new Map(Object.entries(properties).map(([name, field]) => [name, collectTypes(field)] as const))
  cache.set(schema, types)
  return types
}
