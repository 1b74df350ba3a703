import { AppError } from "../../domain/errors.ts"
import { decodeText } from "../decode.ts"
import type { Loader } from "../types.ts"

/** Below so many levels values are no longer told apart. */
const MAX_DEPTH = 64

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A value as `key: value` pairs, nested ones by their path. */
const flat = (value: unknown, path: string, depth: number): string[] => {
  if (value === null || value === undefined || value === "") return []
  const named = (text: string) => [path ? `${path}: ${text}` : text]
  if (typeof value !== "object") return named(String(value))
  if (depth >= MAX_DEPTH) return named("…")
  if (Array.isArray(value) && value.every((v) => typeof v !== "object"))
    return value.length ? named(value.join(", ")) : []
  return Object.entries(value).flatMap(([key, inner]) => flat(inner, path ? `${path}.${key}` : key, depth + 1))
}

const linesOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map((item) => flat(item, "", 0).join("; "))
  if (!isObject(value)) return flat(value, "", 0)
  return Object.entries(value).flatMap(([key, inner]) =>
    Array.isArray(inner) && inner.some(isObject)
      ? inner.map((item) => `${key}: ${flat(item, "", 0).join("; ")}`)
      : flat(inner, key, 0),
  )
}

const read = (text: string, where: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError("invalid", `${where} is not JSON`, { cause })
  }
}

/** JSON, or one JSON value a line: a line for each element of a list or field of an object. */
export const loadJson: Loader = (bytes, { extension }) => {
  const text = decodeText(bytes)
  const lines =
    extension === ".json"
      ? linesOf(read(text, "the file"))
      : text.split("\n").flatMap((l, i) => (l.trim() ? flat(read(l, `line ${i + 1}`), "", 0).join("; ") : []))
  return { sections: [{ text: lines.map((l) => l.replace(/\s*\n\s*/g, " ")).join("\n"), lines: true }] }
}
