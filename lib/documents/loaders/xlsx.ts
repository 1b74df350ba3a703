import { AppError } from "../../domain/errors.ts"
import { createDocumentBuilder } from "../document-builder.ts"
import type { Loader } from "../types.ts"
import { type Archive, openArchive, readRelationships, readTitle, readXmlPart } from "./archive.ts"
import { addRows } from "./csv.ts"

const MAX_COLUMNS = 1000
const DAY_MS = 86_400_000
/** Day 0 of Excel's calendar. */
const EPOCH_MS = Date.UTC(1899, 11, 30)
/** Returns true for a built-in date format (14 to 22) and for a custom format with day or year. */
const isDateFormat = (id: number, custom: ReadonlySet<number>): boolean => (id >= 14 && id <= 22) || custom.has(id)

const isDateCode = (code: string): boolean => /[dyDY]/.test(code.replace(/"[^"]*"|\[[^[\]]*\]|\\./g, ""))

const readSharedStrings = (xml: string | null): string[] => {
  const strings: string[] = []
  let text: string | null = null
  let inText = false
  if (xml)
    readXmlPart(xml, {
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

/** Returns the indexes of the cell styles that display dates. */
const readDateStyles = (xml: string | null): ReadonlySet<number> => {
  const custom = new Set<number>()
  const dates = new Set<number>()
  let inCellStyles = false
  let index = 0
  if (xml)
    readXmlPart(xml, {
      open: (name, a) => {
        if (name === "numFmt") {
          if (isDateCode(a.formatCode ?? "")) custom.add(Number(a.numFmtId))
        } else if (name === "cellXfs") inCellStyles = true
        else if (name === "xf" && inCellStyles) {
          const id = Number(a.numFmtId ?? 0)
          if (isDateFormat(id, custom)) dates.add(index)
          index++
        }
      },
      close: (name) => {
        if (name === "cellXfs") inCellStyles = false
      },
    })
  return dates
}

const parseColumn = (reference: string | undefined, fallback: number): number => {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0]
  if (!letters) return fallback
  return [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

const formatDate = (value: string): string => {
  const date = new Date(EPOCH_MS + Number(value) * DAY_MS)
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
  const formatCell = ({ type, style, value }: Cell): string => {
    if (type === "s") return strings[Number(value)] ?? ""
    if (type === "b") return value === "1" ? "true" : "false"
    return type === "" && dates.has(style) && value !== "" ? formatDate(value) : value
  }
  readXmlPart(xml, {
    open: (name, a) => {
      if (name === "row") row = []
      else if (name === "c")
        cell = { column: parseColumn(a.r, row.length), type: a.t ?? "", style: Number(a.s ?? -1), value: "" }
      inValue = name === "v" || name === "t"
    },
    text: (part) => {
      if (inValue && cell) cell.value += part
    },
    close: (name) => {
      inValue = false
      if (name === "c" && cell && cell.column < MAX_COLUMNS) {
        while (row.length < cell.column) row.push("")
        row[cell.column] = formatCell(cell)
        cell = null
      } else if (name === "row") rows.push(row)
    },
  })
  return rows
}

/** The rows of a sheet. `page` is its number in the workbook, from 1. */
export type Sheet = { readonly name: string; readonly page: number; readonly rows: string[][] }

/** Yields the sheets of an Excel file (OOXML). Uses the stored results of formulas. */
export async function* readSheets(archive: Archive): AsyncGenerator<Sheet> {
  const workbook = await archive.text("xl/workbook.xml")
  if (workbook === null) throw new AppError("invalid", "it is not an Excel file (xl/workbook.xml is missing)")
  const targets = readRelationships(await archive.text("xl/_rels/workbook.xml.rels"), "xl")
  const strings = readSharedStrings(await archive.text("xl/sharedStrings.xml"))
  const dates = readDateStyles(await archive.text("xl/styles.xml"))
  const sheets: { name: string; path: string }[] = []
  readXmlPart(workbook, {
    open: (name, a) => {
      const path = name === "sheet" && a.state !== "veryHidden" ? targets.get(a["r:id"] ?? "") : undefined
      if (path) sheets.push({ name: a.name ?? "", path })
    },
  })
  for (const [i, { name, path }] of sheets.entries())
    yield { name, page: i + 1, rows: readRows((await archive.text(path)) ?? "", strings, dates) }
}

/** Loads an Excel file as one section per sheet and one line per row, with column names. */
export const loadXlsx: Loader = async (bytes) => {
  const archive = await openArchive(bytes)
  const document = createDocumentBuilder()
  for await (const { name, page, rows } of readSheets(archive)) addRows(document, rows, { page, heading: name })
  document.setTitle(readTitle(await archive.text("docProps/core.xml")))
  return document.build()
}
