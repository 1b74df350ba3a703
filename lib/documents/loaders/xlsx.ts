import { AppError } from "../../domain/errors.ts"
import { rowsAsText } from "../rows.ts"
import type { Loader, Section } from "../types.ts"
import { readPart, relations, titleIn } from "../xml.ts"
import { openArchive } from "../zip.ts"

const MAX_COLUMNS = 1000
const DAY_MS = 86_400_000
/** Day 0 of Excel's calendar. */
const EPOCH = Date.UTC(1899, 11, 30)
/** Number formats that every file has and that show a date. */
const isDateFormat = (id: number, code: string | undefined): boolean =>
  (id >= 14 && id <= 22) || (code !== undefined && /[dyDY]/.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, "")))

const sharedStrings = (xml: string | null): string[] => {
  const strings: string[] = []
  let text: string | null = null
  let inText = false
  if (xml)
    readPart(xml, {
      open: (name) => {
        if (name === "si") text = ""
        inText = name === "t"
      },
      text: (part) => {
        if (inText && text !== null) text += part
      },
      close: (name) => {
        inText = false
        if (name === "si") strings.push(text ?? "")
      },
    })
  return strings
}

/** Which cell styles show dates, by the style's index. */
const dateStyles = (xml: string | null): ReadonlySet<number> => {
  const codes = new Map<number, string>()
  const dates = new Set<number>()
  let inside = false
  let index = 0
  if (xml)
    readPart(xml, {
      open: (name, a) => {
        if (name === "numFmt") codes.set(Number(a.numFmtId), a.formatCode ?? "")
        else if (name === "cellXfs") inside = true
        else if (name === "xf" && inside) {
          const id = Number(a.numFmtId ?? 0)
          if (isDateFormat(id, codes.get(id))) dates.add(index)
          index++
        }
      },
      close: (name) => {
        if (name === "cellXfs") inside = false
      },
    })
  return dates
}

const columnOf = (reference: string | undefined, fallback: number): number => {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0]
  if (!letters) return fallback
  return [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

const asDate = (value: string): string => {
  const date = new Date(EPOCH + Number(value) * DAY_MS)
  return Number.isNaN(date.getTime())
    ? value
    : date
        .toISOString()
        .replace(/T00:00:00.000Z$|:00.000Z$/, "")
        .replace("T", " ")
}

type Cell = { column: number; type: string; style: number; value: string }

const readRows = (xml: string, strings: readonly string[], dates: ReadonlySet<number>): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  let cell: Cell | null = null
  let inValue = false
  const shown = ({ type, style, value }: Cell): string => {
    if (type === "s") return strings[Number(value)] ?? ""
    if (type === "b") return value === "1" ? "true" : "false"
    return type === "" && dates.has(style) && value !== "" ? asDate(value) : value
  }
  readPart(xml, {
    open: (name, a) => {
      if (name === "row") row = []
      else if (name === "c")
        cell = { column: columnOf(a.r, row.length), type: a.t ?? "", style: Number(a.s ?? -1), value: "" }
      inValue = name === "v" || name === "t"
    },
    text: (part) => {
      if (inValue && cell) cell.value += part
    },
    close: (name) => {
      inValue = false
      if (name === "c" && cell && cell.column < MAX_COLUMNS) {
        while (row.length < cell.column) row.push("")
        row[cell.column] = shown(cell)
        cell = null
      } else if (name === "row") rows.push(row)
    },
  })
  return rows
}

/** Excel (OOXML): a section a sheet, a line a row with the names of its columns. Formulas give their last value. */
export const loadXlsx: Loader = async (bytes) => {
  const archive = await openArchive(bytes)
  const workbook = await archive.text("xl/workbook.xml")
  if (workbook === null) throw new AppError("invalid", "it is no Excel file: xl/workbook.xml is missing")
  const targets = relations(await archive.text("xl/_rels/workbook.xml.rels"), "xl")
  const strings = sharedStrings(await archive.text("xl/sharedStrings.xml"))
  const dates = dateStyles(await archive.text("xl/styles.xml"))
  const sheets: { name: string; path: string }[] = []
  readPart(workbook, {
    open: (name, a) => {
      const path = name === "sheet" && a.state !== "veryHidden" ? targets.get(a["r:id"] ?? "") : undefined
      if (path) sheets.push({ name: a.name ?? "", path })
    },
  })
  const sections: Section[] = []
  for (const [i, { name, path }] of sheets.entries()) {
    const text = rowsAsText(readRows((await archive.text(path)) ?? "", strings, dates))
    if (text) sections.push({ text, page: i + 1, lines: true, ...(name ? { heading: name } : {}) })
  }
  const title = titleIn(await archive.text("docProps/core.xml"))
  return { ...(title ? { title } : {}), sections }
}
