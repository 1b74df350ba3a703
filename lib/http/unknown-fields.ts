import type { InputSchema } from "./field-types.ts"

/** The items of a list that are checked, because a transcript can have half a million words. */
const MAX_ITEMS = 1000

/** A field that the schema does not have. `known` are the names that it has in this place. */
export type UnknownField = {
  readonly path: readonly (string | number)[]
  readonly name: string
  readonly known: readonly string[]
}

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Returns true if a value can be meant as this variant: it has the required fields, and the constants that tell variants
 * apart. The first item stands for a list.
 */
const isMeant = ({ type, properties = {}, required = [], items }: InputSchema, value: unknown): boolean => {
  if (type === "array") return Array.isArray(value) && items?.type === "object" && isMeant(items, value[0])
  if (type !== "object" || !isObject(value)) return false
  return required.every((name) => {
    const constant = properties[name]?.const
    return Object.hasOwn(value, name) && (constant === undefined || constant === value[name])
  })
}

/**
 * Yields the fields of a value that its schema does not have, also those of nested objects and lists, each name once per
 * place of the schema. A value that fits none of several variants, and an object of any shape, have no unknown fields.
 */
export function* findUnknownFields(
  value: unknown,
  schema: InputSchema,
  path: UnknownField["path"] = [],
  seen: Map<InputSchema, Set<string>> = new Map(),
): Generator<UnknownField> {
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) {
    const meant = variants.find((variant) => isMeant(variant, value))
    if (meant) yield* findUnknownFields(value, meant, path, seen)
    return
  }
  if (Array.isArray(value) && schema.items) {
    for (const [i, item] of value.slice(0, MAX_ITEMS).entries())
      yield* findUnknownFields(item, schema.items, [...path, i], seen)
    return
  }
  const known = Object.keys(schema.properties ?? {})
  if (!isObject(value) || known.length === 0) return
  const named = seen.get(schema) ?? new Set()
  seen.set(schema, named)
  for (const name of Object.keys(value)) {
    if (known.includes(name)) {
      yield* findUnknownFields(value[name], schema.properties![name]!, [...path, name], seen)
    } else if (!named.has(name)) {
      named.add(name)
      yield { path, name, known }
    }
  }
}
