import { AppError } from "../../domain/errors.ts"
import { createDocumentBuilder, cutText } from "../document-builder.ts"
import { LIMITS } from "../limits.ts"
import type { Loader } from "../types.ts"
import { decodeText } from "./text.ts"

/** Values nested deeper are replaced by an ellipsis. */
const MAX_DEPTH = 64

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const toOneLine = (text: string): string =>
  text.includes("\n")
    ? text
        .split("\n")
        .map((line) => line.trim())
        .join(" ")
    : text

const joinPath = (path: string, key: string): string => cutText(path ? `${path}.${key}` : key, LIMITS.keyPathCharacters)

/** Yields a value as `key: value` pairs. Keys of nested values are paths. */
export function* flatten(value: unknown, path: string, depth = 0): Generator<string> {
  if (value === null || value === undefined || value === "") return
  const withPath = (text: string) => toOneLine(path ? `${path}: ${text}` : text)
  if (typeof value !== "object") yield withPath(String(value))
  else if (depth >= MAX_DEPTH) yield withPath("…")
  else if (Array.isArray(value) && value.every((v) => typeof v !== "object")) {
    if (value.length > 0) yield withPath(value.join(", "))
  } else
    for (const key of Object.keys(value))
      yield* flatten((value as Record<string, unknown>)[key], joinPath(path, key), depth + 1)
}

/** Yields the lines of a document: the pairs of each array element, or of each object field. */
function* toLines(value: unknown): Generator<Iterable<string>> {
  if (Array.isArray(value)) for (const item of value) yield flatten(item, "")
  else if (!isObject(value)) yield flatten(value, "")
  else
    for (const [name, inner] of Object.entries(value)) {
      const key = joinPath("", name)
      if (Array.isArray(inner) && inner.some(isObject))
        for (const item of inner) yield withPrefix(`${toOneLine(key)}: `, flatten(item, ""))
      else for (const pair of flatten(inner, key)) yield [pair]
    }
}

/** Prepends a text to the first part of a line, also of an empty one. */
function* withPrefix(prefix: string, parts: Iterable<string>): Generator<string> {
  let before = prefix
  for (const part of parts) {
    yield before + part
    before = ""
  }
  if (before) yield before
}

export const parseJson = (text: string, where: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError("invalid", `${where} is not JSON`, { cause })
  }
}

function* linesOf(text: string): Generator<Iterable<string>> {
  for (const [i, line] of text.split("\n").entries())
    if (line.trim()) yield flatten(parseJson(line, `line ${i + 1}`), "")
}

/** Loads JSON, or JSON Lines, as one line per array element or object field. */
export const loadJson: Loader = (bytes, { extension }) => {
  const text = decodeText(bytes)
  const document = createDocumentBuilder()
  const lines: string[] = []
  for (const pairs of extension === ".json" ? toLines(parseJson(text, "the file")) : linesOf(text)) {
    const line: string[] = []
    for (const pair of pairs) {
      // Counted while it is made, because a key before each of many values takes far more space than the file.
      document.count(pair.length)
      line.push(pair)
    }
    lines.push(line.join("; "))
  }
  document.addLines(lines)
  return document.build()
}
