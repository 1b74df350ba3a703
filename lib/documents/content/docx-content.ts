import type { ContentBlock, TextRun } from "../../domain/document-content.ts"
import { openArchive, readXmlPart } from "../loaders/archive.ts"
import { readHeadingStyles } from "../loaders/docx.ts"
import type { ContentBuilder } from "./content-builder.ts"
import { createRunCollector, toHref } from "./run-collector.ts"

const MAX_HEADING_LEVEL = 6
const MAX_DEPTH = 8

/** Reads the addresses of links by relationship ID. Nothing is loaded from them. */
const readLinks = (xml: string | null): Map<string, string> => {
  const links = new Map<string, string>()
  if (xml)
    readXmlPart(xml, {
      open: (name, { Id, Target, TargetMode }) => {
        if (name === "Relationship" && Id && Target && TargetMode === "External") links.set(Id, Target)
      },
    })
  return links
}

/** Returns true if an on-off property such as `<w:b/>` is on. */
const isOn = (attributes: Readonly<Record<string, string>>): boolean =>
  !["0", "false", "none"].includes(attributes["w:val"] ?? "1")

/** Adds the paragraphs and tables of a body, or of notes. Omits deleted text and field codes, as the loader does. */
const readBody = (
  xml: string,
  levels: ReadonlyMap<string, number>,
  links: ReadonlyMap<string, string>,
  content: ContentBuilder,
): void => {
  const collector = createRunCollector()
  let level: number | undefined
  let depth: number | null = null
  let inText = false
  let inRun = false
  let tables = 0
  let rows = 0
  let cells: TextRun[][] = []
  const styles = { bold: false, italic: false, struck: false }
  const setStyle = (style: keyof typeof styles, on: boolean): void => {
    if (!inRun || styles[style] === on) return
    styles[style] = on
    on ? collector.openStyle(style) : collector.closeStyle(style)
  }
  const toBlock = (runs: TextRun[]): ContentBlock => {
    if (level !== undefined) return { type: "heading", level: Math.min(level, MAX_HEADING_LEVEL), runs }
    return depth === null ? { type: "paragraph", runs } : { type: "item", depth, marker: "•", runs }
  }
  readXmlPart(xml, {
    open: (name, attributes) => {
      if (name === "p" && tables === 0) [level, depth] = [undefined, null]
      else if (name === "pStyle") level = levels.get(attributes["w:val"] ?? "") ?? level
      else if (name === "numPr") depth ??= 0
      else if (name === "ilvl" && depth !== null)
        depth = Math.min(Math.max(Number.parseInt(attributes["w:val"] ?? "0", 10) || 0, 0), MAX_DEPTH)
      else if (name === "hyperlink") collector.openLink(toHref(links.get(attributes["r:id"] ?? "")))
      else if (name === "r") inRun = true
      else if (name === "b") setStyle("bold", isOn(attributes))
      else if (name === "i") setStyle("italic", isOn(attributes))
      else if (name === "strike") setStyle("struck", isOn(attributes))
      else if (name === "t") inText = true
      else if (name === "tab") collector.addText(" ")
      else if (name === "br" || name === "cr") collector.addBreak()
      else if (name === "tbl" && tables++ === 0) rows = 0
    },
    text: (text) => {
      if (inText) collector.addText(text)
    },
    close: (name) => {
      if (name === "t") inText = false
      else if (name === "r") {
        for (const style of ["bold", "italic", "struck"] as const) setStyle(style, false)
        inRun = false
      } else if (name === "hyperlink") collector.closeLink()
      else if (name === "p" && tables > 0) collector.addText(" ")
      else if (name === "p") {
        const runs = collector.take()
        if (runs.length > 0) content.add(toBlock(runs))
      } else if (name === "tc" && tables === 1) cells.push(collector.take())
      else if (name === "tr" && tables === 1) {
        if (cells.some((cell) => cell.length > 0))
          content.add({ type: "row", role: rows++ > 0 ? "body" : "first", cells })
        cells = []
      } else if (name === "tbl") tables--
    },
  })
}

/** Adds the blocks of a Word file: headings, paragraphs, lists, tables and notes. */
export const readDocxContent = async (bytes: Uint8Array, content: ContentBuilder): Promise<void> => {
  const archive = await openArchive(bytes)
  const levels = readHeadingStyles(await archive.text("word/styles.xml"))
  for (const part of ["document", "footnotes", "endnotes"]) {
    const xml = await archive.text(`word/${part}.xml`)
    const links = readLinks(await archive.text(`word/_rels/${part}.xml.rels`))
    if (xml) readBody(xml, levels, links, content)
  }
}
