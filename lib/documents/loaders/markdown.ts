import type { Loader, Section } from "../types.ts"
import { decodeText } from "./text.ts"

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/
const FRONT_MATTER = /^---\n[\s\S]*?\n---\s*\n/

/** Loads Markdown as one section per heading, with the path of headings above it. Ignores headings in fenced code. */
export const loadMarkdown: Loader = (bytes) => {
  const sections: Section[] = []
  const path: string[] = []
  let lines: string[] = []
  let title: string | undefined
  let fence: string | null = null
  const endSection = () => {
    const text = lines.join("\n")
    const heading = path.filter(Boolean).join(" › ")
    if (text.trim()) sections.push({ text, ...(heading ? { heading } : {}) })
    lines = []
  }
  for (const line of decodeText(bytes).replace(FRONT_MATTER, "").split("\n")) {
    const mark = FENCE.exec(line)?.[1]
    if (mark && fence === null) fence = mark[0]!
    else if (mark && mark[0] === fence) fence = null
    const heading = fence === null && !mark ? HEADING.exec(line) : null
    if (heading) {
      endSection()
      const level = heading[1]!.length
      path.length = level - 1
      path[level - 1] = heading[2]!
      title ??= heading[2]!
    }
    lines.push(line)
  }
  endSection()
  return { ...(title ? { title } : {}), sections }
}
