import { decodeText } from "../decode.ts"
import { rowsAsText } from "../rows.ts"
import type { Loader } from "../types.ts"

const SEPARATORS = [",", ";", "\t", "|"] as const

/** The separator of which the first line has most, outside quotes. */
const separatorOf = (text: string): string => {
  const line = text.slice(0, text.indexOf("\n") < 0 ? undefined : text.indexOf("\n")).replace(/"[^"]*"/g, "")
  const counts = SEPARATORS.map((s) => line.split(s).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!
}

/** Rows of RFC 4180: quoted cells may hold separators, line ends and doubled quotes. Linear. */
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

/** Tables as text: a line a row, with the names of the columns. */
export const loadCsv: Loader = (bytes, { extension }) => {
  const text = decodeText(bytes)
  const rows = parseCsv(text, extension === ".tsv" ? "\t" : separatorOf(text))
  return { sections: [{ text: rowsAsText(rows), lines: true }] }
}
