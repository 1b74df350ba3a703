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

/** The rows of a table that are not empty. `names` are the column names, if the first row contains them. */
type Table = {
  readonly names: readonly string[] | null
  readonly rows: readonly (readonly string[])[]
  /** Returns a row as text: `name: value; name: value` with column names, otherwise `value | value`. */
  toLine(row: readonly string[]): string
}

/** Cleans the cells of a table and finds its column names. Returns null for a table without content. */
export const toTable = (cells: readonly (readonly string[])[]): Table | null => {
  const filled = cells
    .map((row) => row.map((cell) => cell.replace(/\s+/g, " ").trim()))
    .filter((row) => row.some(Boolean))
  const [first, ...rest] = filled
  if (!first) return null
  const names = rest.length > 0 && isHeader(first) ? first : null
  const withName = (cell: string, i: number): string[] => (cell ? [first[i] ? `${first[i]}: ${cell}` : cell] : [])
  return {
    names,
    rows: names ? rest : filled,
    toLine: (row) => (names ? row.flatMap(withName).join("; ") : row.filter(Boolean).join(" | ")),
  }
}

/** Adds the rows of a table as lines of text. */
export const addRows = (
  document: DocumentBuilder,
  rows: readonly (readonly string[])[],
  position?: Pick<Section, "heading" | "page">,
): void => {
  const table = toTable(rows)
  if (!table) return
  const toLine = (row: readonly string[]): string => {
    const line = table.toLine(row)
    document.count(line.length)
    return line
  }
  document.addLines(table.rows.map(toLine), position)
}

/** Reads the cells of a CSV or TSV file. */
export const readCsv = (bytes: Uint8Array, extension: string): string[][] => {
  const text = decodeText(bytes)
  return parseCsv(text, extension === ".tsv" ? "\t" : detectSeparator(text))
}

/** Loads a table as one line per row, with the column names. */
export const loadCsv: Loader = (bytes, { extension }) => {
  const document = createDocumentBuilder()
  addRows(document, readCsv(bytes, extension))
  return document.build()
}
