import { AppError } from "../../domain/errors.ts"
import type { Loader, Section } from "../types.ts"
import { openArchive, readTitle, readXmlPart } from "./archive.ts"

/** Maps style IDs to heading levels. Uses the style names, because Word translates the IDs. */
const readHeadingStyles = (styles: string | null): Map<string, number> => {
  const levels = new Map<string, number>()
  let id = ""
  if (styles)
    readXmlPart(styles, {
      open: (name, attributes) => {
        if (name === "style") id = attributes["w:styleId"] ?? ""
        if (name !== "name") return
        const level = /^(?:heading (\d)|title)$/i.exec(attributes["w:val"] ?? "")
        if (level) levels.set(id, Number(level[1] ?? 1))
      },
    })
  return levels
}

/** Reads the paragraphs in order. Separates table cells by bars. Omits deleted text and field codes. */
const readBody = (xml: string, levels: ReadonlyMap<string, number>): Section[] => {
  const sections: Section[] = []
  const path: string[] = []
  let [text, paragraph] = ["", ""]
  let level: number | undefined
  let inText = false
  let inTable = 0
  const endSection = () => {
    const heading = path.filter(Boolean).join(" › ")
    if (text.trim()) sections.push({ text: text.trim(), ...(heading ? { heading } : {}) })
    text = ""
  }
  readXmlPart(xml, {
    open: (name, attributes) => {
      if (name === "p" && inTable === 0) [paragraph, level] = ["", undefined]
      else if (name === "pStyle") level = levels.get(attributes["w:val"] ?? "") ?? level
      else if (name === "t") inText = true
      else if (name === "tab") paragraph += "\t"
      else if (name === "br" || name === "cr") paragraph += "\n"
      else if (name === "tbl") inTable++
    },
    text: (part) => {
      if (inText) paragraph += part
    },
    close: (name) => {
      if (name === "t") inText = false
      else if (name === "tc") paragraph += " | "
      else if (name === "tr") paragraph = `${paragraph.replace(/ \| $/, "")}\n`
      else if (name === "tbl" && --inTable === 0) {
        text += `${paragraph}\n`
        paragraph = ""
      } else if (name === "p" && inTable === 0) {
        if (level !== undefined && paragraph.trim()) {
          endSection()
          path.length = level - 1
          path[level - 1] = paragraph.trim()
        }
        text += `${paragraph}\n\n`
        paragraph = ""
      } else if (name === "p") paragraph += " "
    },
  })
  endSection()
  return sections
}

/** Loads a Word file (OOXML): text with headings, tables, footnotes and endnotes. */
export const loadDocx: Loader = async (bytes) => {
  const archive = await openArchive(bytes)
  const body = await archive.text("word/document.xml")
  if (body === null) throw new AppError("invalid", "it is not a Word file (word/document.xml is missing)")
  const levels = readHeadingStyles(await archive.text("word/styles.xml"))
  const sections = readBody(body, levels)
  for (const part of ["word/footnotes.xml", "word/endnotes.xml"]) {
    const notes = await archive.text(part)
    if (notes) sections.push(...readBody(notes, levels))
  }
  const title = readTitle(await archive.text("docProps/core.xml")) ?? sections.find((s) => s.heading)?.heading
  return { ...(title ? { title } : {}), sections }
}
