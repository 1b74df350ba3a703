import type { Extracted, Loader, Section } from "../types.ts"
import { parseHtml } from "./html-parser.ts"
import { decodeText } from "./text.ts"

const toSet = (text: string): ReadonlySet<string> => new Set(text.split(" "))
/** Elements whose content is not page text. */
const SKIPPED_ELEMENTS = toSet(
  "script style noscript template svg math iframe object canvas audio video select nav head title",
)
const BLOCK_ELEMENTS = toSet(
  "p div section article main aside header footer ul ol li dl dt dd table tr blockquote pre figure figcaption form fieldset h1 h2 h3 h4 h5 h6 br hr address details summary",
)
const CELL_ELEMENTS = toSet("td th")
const HEADING = /^h([1-6])$/

/** Extracts the text of an HTML page, divided at headings. Runs and fetches nothing. */
export const readHtml = (html: string): Extracted => {
  const sections: Section[] = []
  const path: string[] = []
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
    const body = parts
      .join("")
      .replace(/[ \t]+\n/g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
    const above = path.filter(Boolean).join(" › ")
    if (body) sections.push({ text: body, ...(above ? { heading: above } : {}) })
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
        path.length = Number(level) - 1
        path[Number(level) - 1] = heading.trim()
        append(`${heading.trim()}\n\n`)
        heading = null
      } else if (BLOCK_ELEMENTS.has(name) && name !== "br") append("\n")
      if (name === "pre") preDepth = Math.max(0, preDepth - 1)
    },
  })
  endSection()
  const name = title.replace(/\s+/g, " ").trim()
  return { ...(name ? { title: name } : {}), sections }
}

export const loadHtml: Loader = (bytes) => readHtml(decodeText(bytes))
