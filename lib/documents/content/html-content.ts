import type { ContentBlock, TextRun } from "../../domain/document-content.ts"
import { BLOCK_ELEMENTS, SKIPPED_ELEMENTS } from "../loaders/html.ts"
import { type HtmlAttributes, parseHtml } from "../loaders/html-parser.ts"
import type { ContentBuilder } from "./content-builder.ts"
import { createRunCollector, toHref } from "./run-collector.ts"

const HEADING = /^h([1-6])$/
const STYLES: Readonly<Record<string, "bold" | "italic" | "struck" | "code">> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  cite: "italic",
  s: "struck",
  del: "struck",
  strike: "struck",
  code: "code",
  kbd: "code",
  samp: "code",
}
const MAX_DEPTH = 8
const LANGUAGE = /(?:^|\s)(?:language|lang)-([\w+#.-]{1,30})/

type List = { readonly ordered: boolean; next: number }

/** Collects what is between the tags of a page. */
class HtmlContent {
  readonly runs = createRunCollector()
  readonly #content: ContentBuilder
  readonly #lists: List[] = []
  #skipped = 0
  #quotes = 0
  #heading: number | null = null
  #marker = ""
  /** The text of the preformatted element that is open. */
  #code: string[] | null = null
  #codeDepth = 0
  #language: string | undefined
  #tables = 0
  #rowsInTable = 0
  #isInCell = false
  #row: { cells: TextRun[][]; isHead: boolean } | null = null

  constructor(content: ContentBuilder) {
    this.#content = content
  }

  open(name: string, attributes: HtmlAttributes): void {
    if (SKIPPED_ELEMENTS.has(name)) this.#skipped++
    if (this.#skipped > 0) return
    if (name === "br") this.runs.addBreak()
    else if (BLOCK_ELEMENTS.has(name)) this.endBlock()
    const style = STYLES[name]
    if (style && this.#code === null) this.runs.openStyle(style)
    const level = HEADING.exec(name)?.[1]
    if (level) this.#heading = Number(level)
    else if (name === "a") this.runs.openLink(toHref(attributes.href))
    else if (name === "img") this.runs.addText(attributes.alt ? ` ${attributes.alt} ` : "")
    else if (name === "ul" || name === "ol")
      this.#lists.push({ ordered: name === "ol", next: Number.parseInt(attributes.start ?? "1", 10) || 1 })
    else if (name === "li") this.#openItem()
    else if (name === "input" && attributes.type === "checkbox")
      this.#marker = attributes.checked === undefined ? "☐" : "☑"
    else if (name === "blockquote") this.#quotes++
    else if (name === "hr") this.#content.add({ type: "rule" })
    else if (name === "pre") {
      this.#codeDepth++
      this.#code ??= []
    } else if (name === "table") {
      if (this.#tables++ === 0) this.#rowsInTable = 0
    } else if (name === "tr" && this.#tables === 1) {
      // The end tags of rows and cells may be left out.
      this.#closeRow()
      this.#row = { cells: [], isHead: true }
    } else if ((name === "td" || name === "th") && this.#row && this.#tables === 1) {
      this.#closeCell()
      this.#isInCell = true
      if (name === "td") this.#row.isHead = false
    }
    if (name === "code" && this.#code) this.#language ??= LANGUAGE.exec(attributes.class ?? "")?.[1]
  }

  text(text: string): void {
    if (this.#skipped > 0) return
    if (this.#code) this.#code.push(text)
    else this.runs.addText(text)
  }

  close(name: string): void {
    if (SKIPPED_ELEMENTS.has(name)) this.#skipped = Math.max(0, this.#skipped - 1)
    if (this.#skipped > 0) return
    if (name === "td" || name === "th") this.#closeCell()
    else if (name === "tr") this.#closeRow()
    else if (name === "pre") this.#closeCode()
    else if (BLOCK_ELEMENTS.has(name) && name !== "br") this.endBlock()
    const style = STYLES[name]
    if (style && this.#code === null) this.runs.closeStyle(style)
    if (HEADING.test(name)) this.#heading = null
    else if (name === "a") this.runs.closeLink()
    else if (name === "ul" || name === "ol") this.#lists.pop()
    else if (name === "li") this.#marker = ""
    else if (name === "blockquote") this.#quotes--
    else if (name === "table") this.#tables--
  }

  #openItem(): void {
    const list = this.#lists.at(-1)
    this.#marker = list?.ordered ? `${list.next++}.` : "•"
  }

  #closeCell(): void {
    if (!this.#row || this.#tables !== 1) return
    const runs = this.runs.take()
    if (this.#isInCell) this.#row.cells.push(runs)
    this.#isInCell = false
  }

  #closeRow(): void {
    if (!this.#row || this.#tables !== 1) return
    this.#closeCell()
    const { cells, isHead } = this.#row
    this.#row = null
    if (!cells.some((cell) => cell.length > 0)) return
    const role = this.#rowsInTable++ > 0 ? "body" : isHead ? "head" : "first"
    this.#content.add({ type: "row", role, cells })
  }

  #closeCode(): void {
    if (this.#code === null || --this.#codeDepth > 0) return
    const text = this.#code.join("").replace(/^\n/, "").trimEnd()
    if (this.#row) this.runs.addText(text)
    else if (text !== "")
      this.#content.add({ type: "code", text, ...(this.#language !== undefined && { language: this.#language }) })
    this.#code = null
    this.#language = undefined
  }

  /** Ends the paragraph, item or heading that is being read. */
  endBlock(): void {
    if (this.#code) {
      if (this.#code.length > 0 && !this.#code.at(-1)!.endsWith("\n")) this.#code.push("\n")
      return
    }
    if (this.#row) {
      this.runs.addText(" ")
      return
    }
    const runs = this.runs.take()
    if (runs.length > 0) this.#content.add(this.#toBlock(runs))
  }

  #toBlock(runs: TextRun[]): ContentBlock {
    if (this.#heading !== null) return { type: "heading", level: this.#heading, runs }
    if (this.#lists.length === 0) return { type: "paragraph", runs, ...(this.#quotes > 0 && { quoted: true }) }
    const marker = this.#marker
    this.#marker = ""
    return { type: "item", depth: Math.min(this.#lists.length - 1, MAX_DEPTH), marker, runs }
  }
}

/** Adds the blocks of an HTML page: what it says, without its scripts, styles, images and other loads. */
export const readHtmlContent = (html: string, content: ContentBuilder): void => {
  const reader = new HtmlContent(content)
  parseHtml(html, {
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.text(text),
    close: (name) => reader.close(name),
  })
  reader.endBlock()
}
