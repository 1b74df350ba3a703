import { createDocumentBuilder, type DocumentBuilder } from "../document-builder.ts"
import type { Loader } from "../types.ts"
import { parseHtml } from "./html-parser.ts"
import { decodeText } from "./text.ts"

const toSet = (text: string): ReadonlySet<string> => new Set(text.split(" "))
/** Elements whose content is not page text. */
export const SKIPPED_ELEMENTS = toSet(
  "script style noscript template svg math iframe object canvas audio video select nav head title",
)
export const BLOCK_ELEMENTS = toSet(
  "p div section article main aside header footer ul ol li dl dt dd table tr blockquote pre figure figcaption form fieldset h1 h2 h3 h4 h5 h6 br hr address details summary",
)
const CELL_ELEMENTS = toSet("td th")
const HEADING = /^h([1-6])$/

/** Joins the text of a section: without blanks at line ends, and with at most one empty line in a row. */
const joinParts = (parts: readonly string[]): string =>
  parts
    .join("")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()

/**
 * Adds the text of an HTML page to a document, divided at headings. Runs and fetches nothing. Returns the title of the page.
 */
export const readHtml = (html: string, document: DocumentBuilder): string => {
  let title = ""
  let parts: string[] = []
  /** The last appended character. Reading it from one growing string would take time proportional to its length. */
  let last = "\n"
  let heading: string | null = null
  let inTitle = false
  let skippedDepth = 0
  let preDepth = 0
  const append = (text: string) => {
    if (text === "") return
    parts.push(text)
    last = text[text.length - 1]!
  }
  const endSection = () => {
    document.add({ text: joinParts(parts) })
    parts = []
    last = "\n"
  }
  parseHtml(html, {
    open: (name) => {
      if (name === "title" && title === "") inTitle = true
      if (SKIPPED_ELEMENTS.has(name)) skippedDepth++
      if (skippedDepth > 0) return
      if (HEADING.test(name)) {
        endSection()
        heading = ""
      } else if (BLOCK_ELEMENTS.has(name)) append(name === "br" || name === "li" || name === "tr" ? "\n" : "\n\n")
      else if (CELL_ELEMENTS.has(name) && last !== "\n") append(" | ")
      if (name === "pre") preDepth++
    },
    text: (part) => {
      if (inTitle) title += part
      if (skippedDepth > 0) return
      const plain = preDepth > 0 ? part : part.replace(/\s+/g, " ")
      if (heading !== null) heading += plain
      else append(preDepth === 0 && /\s/.test(last) ? plain.trimStart() : plain)
    },
    close: (name) => {
      if (name === "title") inTitle = false
      if (SKIPPED_ELEMENTS.has(name)) skippedDepth = Math.max(0, skippedDepth - 1)
      if (skippedDepth > 0) return
      const level = HEADING.exec(name)?.[1]
      if (level && heading !== null) {
        document.setHeading(Number(level), heading)
        append(`${heading.trim()}\n\n`)
        heading = null
      } else if (BLOCK_ELEMENTS.has(name) && name !== "br") append("\n")
      if (name === "pre") preDepth = Math.max(0, preDepth - 1)
    },
  })
  endSection()
  return title.replace(/\s+/g, " ")
}

export const loadHtml: Loader = (bytes) => {
  const document = createDocumentBuilder()
  document.setTitle(readHtml(decodeText(bytes), document))
  return document.build()
}
