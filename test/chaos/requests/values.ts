import fc from "fast-check"
import { type JsonSchema, resolveSchema } from "./openapi.ts"

const MAX_ITEMS = 4
const MAX_CHARACTERS = 40

/** Texts that have broken programs before. */
const HOSTILE_TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\u202egnp.exe",
  "../../../etc/passwd",
  "..%2f..%2fetc%2fpasswd",
  "%",
  "%zz",
  "%00",
  "/etc/shadow",
  "~root/.ssh/id_rsa",
  "file:///etc/passwd",
  "http://169.254.169.254/latest/meta-data",
  "http://[::1]:1/",
  "javascript:alert(1)",
  "name:",
  "constructor",
  "__proto__",
  "null",
  "NaN",
  "Infinity",
  "-0",
  "1e309",
  "9".repeat(40),
  "' OR 1=1 --",
  '"; DROP TABLE jobs; --',
  "{{7*7}}",
  "<script>alert(1)</script>",
  "💥".repeat(50),
  "x".repeat(5000),
  "\r\nx-injected: 1",
] as const

export const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: "binary", maxLength: 200 }))

const nested = (depth: number): unknown =>
  depth === 0 ? 1 : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) }

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, [], {}, -1, 0.1, 1e308, Number.MAX_SAFE_INTEGER, nested(500)),
  fc.jsonValue({ maxDepth: 3 }),
)

const text = ({ minLength = 0, maxLength = MAX_CHARACTERS, pattern, format }: JsonSchema): fc.Arbitrary<unknown> => {
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  const limits = { minLength, maxLength: Math.min(maxLength, minLength + MAX_CHARACTERS) }
  return fc.oneof(fc.string(limits), fc.string({ ...limits, unit: "grapheme" }))
}

const number = ({ type, minimum = -1e6, maximum = 1e6 }: JsonSchema): fc.Arbitrary<unknown> =>
  type === "integer"
    ? fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) })
    : fc.double({ min: minimum, max: maximum, noNaN: true })

const object = (schema: JsonSchema, special: Specials): fc.Arbitrary<unknown> => {
  const { properties = {}, required = [], additionalProperties } = schema
  if (Object.keys(properties).length === 0)
    return typeof additionalProperties === "object"
      ? fc.dictionary(fc.string({ maxLength: 5 }), arbitraryOf(additionalProperties, special), { maxKeys: MAX_ITEMS })
      : fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: MAX_ITEMS })
  const fields = Object.entries(properties).map(([name, own]) => [name, fieldOf(name, own, special)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] })
}

/** Values that fit a field of this name better than random ones, such as the IDs of things that exist. */
export type Specials = Readonly<Record<string, () => readonly unknown[]>>

/** Returns values of a field. Most come from `special` if it has the name. */
export const fieldOf = (name: string, schema: JsonSchema, special: Specials): fc.Arbitrary<unknown> => {
  const values = special[name]
  if (!values) return arbitraryOf(schema, special)
  const known = fc.nat().map((n) => {
    const all = values()
    return all[n % all.length]
  })
  return fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: arbitraryOf(schema, special) })
}

/** Returns values that match a schema. */
export const arbitraryOf = (given: JsonSchema, special: Specials): fc.Arbitrary<unknown> => {
  const schema = resolveSchema(given)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, special)))
  if (typeof schema.type === "object")
    return fc.oneof(...schema.type.map((type) => arbitraryOf({ ...schema, type }, special)))
  if (schema.type === "string") return text(schema)
  if (schema.type === "integer" || schema.type === "number") return number(schema)
  if (schema.type === "boolean") return fc.boolean()
  if (schema.type === "null") return fc.constant(null)
  if (schema.type === "object") return object(schema, special)
  if (schema.type !== "array") return fc.jsonValue({ maxDepth: 2 })
  const { items = {}, minItems = 0, maxItems = MAX_ITEMS } = schema
  return fc.array(arbitraryOf(items, special), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, MAX_ITEMS)),
  })
}
