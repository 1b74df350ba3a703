import { AppError } from "../../domain/errors.ts"
import { createDocumentBuilder, type DocumentBuilder } from "../document-builder.ts"
import type { Loader } from "../types.ts"
import { openArchive, readTitle, readXmlPart } from "./archive.ts"

/** Maps style IDs to heading levels. Uses the style names, because Word translates the IDs. */
export const readHeadingStyles = (styles: string | null): Map<string, number> => {
  const levels = new Map<string, number>()
  let id = ""
  if (styles)
    readXmlPart(styles, {
      open: (name, attributes) => {
        if (name === "style") id = attributes["w:styleId"] ?? ""
        if (name !== "name") return
        const level = /^(?:heading ([1-9])|title)$/i.exec(attributes["w:val"] ?? "")
        if (level) levels.set(id, Number(level[1] ?? 1))
      },
    })
  return levels
}

/** Adds the paragraphs in order. Separates table cells by bars. Omits deleted text and field codes. */
const readBody = (xml: string, levels: ReadonlyMap<string, number>, document: DocumentBuilder): void => {
  let text: string[] = []
  let paragraph: string[] = []
  let level: number | undefined
  let inText = false
  let inTable = 0
  const endSection = () => {
    document.add({ text: text.join("").trim() })
    text = []
  }
  readXmlPart(xml, {
    open: (name, attributes) => {
      if (name === "p" && inTable === 0) [paragraph, level] = [[], undefined]
      else if (name === "pStyle") level = levels.get(attributes["w:val"] ?? "") ?? level
      else if (name === "t") inText = true
      else if (name === "tab") paragraph.push("\t")
      else if (name === "br" || name === "cr") paragraph.push("\n")
      else if (name === "tbl") inTable++
    },
    text: (part) => {
      if (inText) paragraph.push(part)
    },
    close: (name) => {
      if (name === "t") inText = false
      else if (name === "tc") paragraph.push(" | ")
      else if (name === "tr") {
        if (paragraph.at(-1) === " | ") paragraph.pop()
        paragraph.push("\n")
      } else if (name === "tbl" && --inTable === 0) {
        text.push(paragraph.join(""), "\n")
        paragraph = []
      } else if (name === "p" && inTable === 0) {
        const content = paragraph.join("")
        if (level !== undefined && content.trim()) {
          endSection()
          document.setHeading(level, content)
        }
        text.push(content, "\n\n")
        paragraph = []
      } else if (name === "p") paragraph.push(" ")
    },
  })
  endSection()
}

/** Loads a Word file (OOXML): text with headings, tables, footnotes and endnotes. */
export const loadDocx: Loader = async (bytes) => {
  const archive = await openArchive(bytes)
  const body = await archive.text("word/document.xml")
  if (body === null) throw new AppError("invalid", "it is not a Word file (word/document.xml is missing)")
  const levels = readHeadingStyles(await archive.text("word/styles.xml"))
  const document = createDocumentBuilder()
  readBody(body, levels, document)
  for (const part of ["word/footnotes.xml", "word/endnotes.xml"]) {
    const notes = await archive.text(part)
    document.clearHeadings()
    if (notes) readBody(notes, levels, document)
  }
  document.setTitle(readTitle(await archive.text("docProps/core.xml")))
  document.setTitle(document.build().sections.find((s) => s.heading)?.heading)
  return document.build()
}
