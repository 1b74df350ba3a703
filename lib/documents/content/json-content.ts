import { flatten, isObject, parseJson } from "../loaders/json.ts"
import { decodeText } from "../loaders/text.ts"
import type { ContentBuilder } from "./content-builder.ts"

const INDENT = 2

/** Formats a value, each line after the first one indented by `depth` spaces. */
const format = (value: unknown, depth: number): string =>
  (JSON.stringify(value, null, INDENT) ?? "null").replaceAll("\n", `\n${" ".repeat(depth)}`)

/** Returns the text of a value in the chunks. */
const indexedText = (value: unknown, key = ""): string => [...flatten(value, key)].join("; ")

/** A part of the formatted file, and its text in the chunks. */
type Piece = readonly [text: string, indexed: string]

/** Yields the elements of an array, each indented by `depth` spaces. */
function* elementsOf(items: readonly unknown[], depth: number): Generator<Piece> {
  for (const [i, item] of items.entries()) {
    const comma = i < items.length - 1 ? "," : ""
    yield [`${" ".repeat(depth)}${format(item, depth)}${comma}`, indexedText(item)]
  }
}

function* entriesOf(object: Readonly<Record<string, unknown>>): Generator<Piece> {
  const entries = Object.entries(object)
  for (const [i, [key, value]] of entries.entries()) {
    const comma = i < entries.length - 1 ? "," : ""
    const name = `  ${JSON.stringify(key)}: `
    if (Array.isArray(value) && value.some(isObject)) {
      yield [`${name}[`, key]
      yield* elementsOf(value, 2 * INDENT)
      yield [`  ]${comma}`, ""]
    } else yield [`${name}${format(value, INDENT)}${comma}`, indexedText(value, key)]
  }
}

function* piecesOf(value: unknown): Generator<Piece> {
  if (Array.isArray(value)) {
    yield ["[", ""]
    yield* elementsOf(value, INDENT)
    yield ["]", ""]
  } else if (isObject(value)) {
    yield ["{", ""]
    yield* entriesOf(value)
    yield ["}", ""]
  } else yield [format(value, 0), indexedText(value)]
}

function* piecesOfLines(text: string): Generator<Piece> {
  for (const [i, line] of text.split("\n").entries()) {
    if (!line.trim()) continue
    const value = parseJson(line, `line ${i + 1}`)
    yield [format(value, 0), indexedText(value)]
  }
}

/** Adds JSON, or JSON Lines, as formatted code. */
export const readJsonContent = (bytes: Uint8Array, extension: string, content: ContentBuilder): void => {
  const text = decodeText(bytes)
  let isFirst = true
  for (const [piece, indexed] of extension === ".json" ? piecesOf(parseJson(text, "the file")) : piecesOfLines(text)) {
    content.add({ type: "code", language: "json", text: piece, ...(!isFirst && { continues: true }) }, indexed)
    isFirst = false
  }
}
