import { trimEndOf } from "../../domain/text/trim-end.ts"
import { createDocumentBuilder } from "../document-builder.ts"
import type { Loader } from "../types.ts"
import { decodeText } from "./text.ts"

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})\s/
const FRONT_MATTER = /^---\n[\s\S]*?\n---\s*\n/

export const removeFrontMatter = (text: string): string => text.replace(FRONT_MATTER, "")

/** Returns the text of a heading, without the marks before and after it. */
const readHeading = (line: string): string => trimEndOf(line.trim().replace(/^#+/, ""), /[#\s]/).trim()

/** Loads Markdown as one section per heading, with the path of headings above it. Ignores headings in fenced code. */
export const loadMarkdown: Loader = (bytes) => {
  const document = createDocumentBuilder()
  let lines: string[] = []
  let fence: string | null = null
  const endSection = () => {
    document.add({ text: lines.join("\n") })
    lines = []
  }
  for (const line of removeFrontMatter(decodeText(bytes)).split("\n")) {
    const mark = FENCE.exec(line)?.[1]
    if (mark && fence === null) fence = mark[0]!
    else if (mark && mark[0] === fence) fence = null
    const level = fence === null && !mark ? HEADING.exec(line)?.[1]?.length : undefined
    if (level !== undefined) {
      endSection()
      const heading = readHeading(line)
      document.setHeading(level, heading)
      document.setTitle(heading)
    }
    lines.push(line)
  }
  endSection()
  return document.build()
}
