import { AppError } from "../../domain/errors.ts"
import type { Loader } from "../types.ts"
import { decodeText } from "./text.ts"

/** Values nested deeper are replaced by an ellipsis. */
const MAX_DEPTH = 64

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Converts a value to `key: value` pairs. Keys of nested values are paths. */
const flatten = (value: unknown, path: string, depth: number): string[] => {
  if (value === null || value === undefined || value === "") return []
  const withPath = (text: string) => [path ? `${path}: ${text}` : text]
  if (typeof value !== "object") return withPath(String(value))
  if (depth >= MAX_DEPTH) return withPath("…")
  if (Array.isArray(value) && value.every((v) => typeof v !== "object"))
    return value.length ? withPath(value.join(", ")) : []
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, path ? `${path}.${key}` : key, depth + 1))
}

const toLines = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map((item) => flatten(item, "", 0).join("; "))
  if (!isObject(value)) return flatten(value, "", 0)
  return Object.entries(value).flatMap(([key, inner]) =>
    Array.isArray(inner) && inner.some(isObject)
      ? inner.map((item) => `${key}: ${flatten(item, "", 0).join("; ")}`)
      : flatten(inner, key, 0),
  )
}

const parseJson = (text: string, where: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError("invalid", `${where} is not JSON`, { cause })
  }
}

/** Loads JSON, or JSON Lines, as one line per array element or object field. */
export const loadJson: Loader = (bytes, { extension }) => {
  const text = decodeText(bytes)
  const lines =
    extension === ".json"
      ? toLines(parseJson(text, "the file"))
      : text.split("\n").flatMap((l, i) => (l.trim() ? flatten(parseJson(l, `line ${i + 1}`), "", 0).join("; ") : []))
  return { sections: [{ text: lines.map((l) => l.replace(/\s*\n\s*/g, " ")).join("\n"), lines: true }] }
}
