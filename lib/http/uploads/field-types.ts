import { type ZodType, z } from "zod"

type Shape = { readonly type?: string; readonly anyOf?: readonly Shape[] }

const typesIn = (shape: Shape): string[] =>
  shape.anyOf?.flatMap(typesIn) ?? (shape.type === undefined ? [] : [shape.type])

const known = new WeakMap<ZodType, Readonly<Record<string, readonly string[]>>>()

/** The JSON types that a contract allows each of its fields, for whoever gets them all as text. */
export const fieldTypes = (schema: ZodType): Readonly<Record<string, readonly string[]>> => {
  const found = known.get(schema)
  if (found) return found
  const shapes = (z.toJSONSchema(schema, { io: "input" }).properties ?? {}) as Record<string, Shape>
  const types = Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, typesIn(shape)]))
  known.set(schema, types)
  return types
}
