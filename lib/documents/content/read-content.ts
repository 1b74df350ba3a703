import { marked } from "marked"
import type { ContentBlock, TextRun } from "../../domain/document-content.ts"
import type { Format } from "../../domain/document-formats.ts"
import { openArchive } from "../loaders/archive.ts"
import { readCsv, toTable } from "../loaders/csv.ts"
import { readChapters } from "../loaders/epub.ts"
import { removeFrontMatter } from "../loaders/markdown.ts"
import { decodeText } from "../loaders/text.ts"
import { readSheets } from "../loaders/xlsx.ts"
import { parseDocument } from "../parse.ts"
import type { Extracted, Section } from "../types.ts"
import { type ContentBuilder, createContentBuilder, type PlacedBlock } from "./content-builder.ts"
import { readDocxContent } from "./docx-content.ts"
import { readHtmlContent } from "./html-content.ts"
import { readJsonContent } from "./json-content.ts"

const toRuns = (text: string): TextRun[] => (text === "" ? [] : [{ text }])

const addTable = (cells: readonly (readonly string[])[], content: ContentBuilder): void => {
  const table = toTable(cells)
  if (!table) return
  const { names, rows, toLine } = table
  if (names) content.add({ type: "row", role: "head", cells: names.map(toRuns) }, "")
  rows.forEach((row, i) => {
    const role = i === 0 && !names ? "first" : "body"
    content.add({ type: "row", role, cells: row.map(toRuns) }, toLine(row))
  })
}

const addSheets = async (bytes: Uint8Array, content: ContentBuilder): Promise<void> => {
  for await (const { name, page, rows } of readSheets(await openArchive(bytes))) {
    content.setPage(page)
    if (name) content.add({ type: "heading", level: 2, runs: [{ text: name }] }, "")
    addTable(rows, content)
  }
}

const formatClock = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const clock = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = clock[0] === 0 ? clock.slice(1) : clock
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, "0"))).join(":")
}

/** Adds the paragraphs of a section. The lines of a paragraph stay lines. */
const addParagraphs = ({ text, heading, page, start_s }: Section, content: ContentBuilder): void => {
  let rest = text
  if (page !== undefined) {
    content.setPage(page)
    content.add({ type: "heading", level: 2, runs: [{ text: heading ? `${page}. ${heading}` : `Slide ${page}` }] }, "")
    // The title is also the first line of its slide.
    if (heading && rest.startsWith(heading)) rest = rest.slice(heading.length)
  }
  for (const paragraph of rest.split(/\n[ \t]*\n/)) {
    const block: ContentBlock = { type: "paragraph", runs: toRuns(paragraph.replace(/^\n+/, "").trimEnd()) }
    if (block.runs.length > 0)
      content.add(start_s === undefined ? block : { ...block, label: formatClock(start_s) }, paragraph)
  }
}

const addSections = ({ sections }: Extracted, content: ContentBuilder): void => {
  for (const section of sections) addParagraphs(section, content)
}

/** Adds the blocks of Markdown, which is read as the HTML that it stands for. */
export const readMarkdownContent = (text: string, content: ContentBuilder): void =>
  readHtmlContent(marked.parse(removeFrontMatter(text), { async: false }), content)

/**
 * Reads a file as blocks for display.
 * @throws as the loaders do, and AppError `too_large`
 */
export const readContent = async (
  format: Format,
  bytes: Uint8Array,
  extension: string,
): Promise<readonly PlacedBlock[]> => {
  const content = createContentBuilder()
  if (format === "markdown") readMarkdownContent(decodeText(bytes), content)
  else if (format === "html") readHtmlContent(decodeText(bytes), content)
  else if (format === "epub")
    for await (const chapter of (await readChapters(bytes)).chapters) readHtmlContent(chapter, content)
  else if (format === "docx") await readDocxContent(bytes, content)
  else if (format === "xlsx") await addSheets(bytes, content)
  else if (format === "csv") addTable(readCsv(bytes, extension), content)
  else if (format === "json") readJsonContent(bytes, extension, content)
  else addSections(await parseDocument(format, bytes, extension), content)
  return content.build()
}
