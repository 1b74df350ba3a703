import { createDocumentBuilder, type DocumentBuilder } from "../document-builder.ts"
import type { Loader, Section } from "../types.ts"
import { decodeText } from "./text.ts"

const SEPARATORS = [",", ";", "\t", "|"] as const

/** Returns the separator that is most frequent in the first line, outside quotes. */
const detectSeparator = (text: string): string => {
  const line = text.slice(0, text.indexOf("\n") < 0 ? undefined : text.indexOf("\n")).replace(/"[^"]*"/g, "")
  const counts = SEPARATORS.map((s) => line.split(s).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!
}

/** Parses RFC 4180 in linear time. Quoted cells may contain separators, line ends and doubled quotes. */
export const parseCsv = (text: string, separator: string): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ""
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (quoted) {
      if (c !== '"') cell += c
      else if (text[i + 1] === '"') {
        cell += c
        i++
      } else quoted = false
    } else if (c === '"' && cell === "") quoted = true
    else if (c === separator) {
      row.push(cell)
      cell = ""
    } else if (c === "\n") {
      rows.push([...row, cell])
      row = []
      cell = ""
    } else cell += c
  }
  if (cell !== "" || row.length > 0) rows.push([...row, cell])
  return rows
}

/** The maximum length of a column name. */
const MAX_NAME_CHARS = 80

const isHeader = (row: readonly string[]): boolean =>
  row.length > 1 && row.every((cell) => cell !== "" && cell.length <= MAX_NAME_CHARS && !/^[\d.,%-]+$/.test(cell))

/**
 * Adds rows as lines of text: `name: value; name: value` if the first row contains column names, otherwise
 * `value | value`.
 */
export const addRows = (
  document: DocumentBuilder,
  rows: readonly (readonly string[])[],
  position?: Pick<Section, "heading" | "page">,
): void => {
  const filled = rows
    .map((row) => row.map((cell) => cell.replace(/\s+/g, " ").trim()))
    .filter((row) => row.some(Boolean))
  const [first, ...rest] = filled
  if (!first) return
  const hasNames = rest.length > 0 && isHeader(first)
  const withName = (cell: string, i: number): string[] => (cell ? [first[i] ? `${first[i]}: ${cell}` : cell] : [])
  const toLine = (row: readonly string[]): string => {
    const line = hasNames ? row.flatMap(withName).join("; ") : row.filter(Boolean).join(" | ")
    document.count(line.length)
    return line
  }
  document.addLines((hasNames ? rest : filled).map(toLine), position)
}

/** Loads a table as one line per row, with the column names. */
export const loadCsv: Loader = (bytes, { extension }) => {
  const text = decodeText(bytes)
  const rows = parseCsv(text, extension === ".tsv" ? "\t" : detectSeparator(text))
  const document = createDocumentBuilder()
  addRows(document, rows)
  return document.build()
}
