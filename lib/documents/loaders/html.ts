import { decodeText } from "../decode.ts"
import { readMarkup } from "../markup.ts"
import type { Extracted, Loader, Section } from "../types.ts"

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))
/** What is not text of the page. */
const SKIPPED = words("script style noscript template svg math iframe object canvas audio video select nav head title")
const BLOCKS = words(
  "p div section article main aside header footer ul ol li dl dt dd table tr blockquote pre figure figcaption form fieldset h1 h2 h3 h4 h5 h6 br hr address details summary",
)
const CELLS = words("td th")
const HEADING = /^h([1-6])$/

/** HTML as text with its headings. Nothing is run or fetched. */
export const readHtml = (html: string): Extracted => {
  const sections: Section[] = []
  const path: string[] = []
  let title = ""
  let parts: string[] = []
  /** The last character that was taken: to look it up in one growing string would cost its length each time. */
  let last = "\n"
  let heading: string | null = null
  let inTitle = false
  let skipped = 0
  let inPre = 0
  const take = (text: string) => {
    if (text === "") return
    parts.push(text)
    last = text[text.length - 1]!
  }
  const close = () => {
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
  readMarkup(html, {
    open: (name) => {
      if (name === "title" && title === "") inTitle = true
      if (SKIPPED.has(name)) skipped++
      if (skipped > 0) return
      if (HEADING.test(name)) {
        close()
        heading = ""
      } else if (BLOCKS.has(name)) take(name === "br" || name === "li" || name === "tr" ? "\n" : "\n\n")
      else if (CELLS.has(name) && last !== "\n") take(" | ")
      if (name === "pre") inPre++
    },
    text: (part) => {
      if (inTitle) title += part
      if (skipped > 0) return
      const plain = inPre > 0 ? part : part.replace(/\s+/g, " ")
      if (heading !== null) heading += plain
      else take(inPre === 0 && /\s/.test(last) ? plain.trimStart() : plain)
    },
    close: (name) => {
      if (name === "title") inTitle = false
      if (SKIPPED.has(name)) skipped = Math.max(0, skipped - 1)
      if (skipped > 0) return
      const level = HEADING.exec(name)?.[1]
      if (level && heading !== null) {
        path.length = Number(level) - 1
        path[Number(level) - 1] = heading.trim()
        take(`${heading.trim()}\n\n`)
        heading = null
      } else if (BLOCKS.has(name) && name !== "br") take("\n")
      if (name === "pre") inPre = Math.max(0, inPre - 1)
    },
  })
  close()
  const name = title.replace(/\s+/g, " ").trim()
  return { ...(name ? { title: name } : {}), sections }
}

export const loadHtml: Loader = (bytes) => readHtml(decodeText(bytes))
