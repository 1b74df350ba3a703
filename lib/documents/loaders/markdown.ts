import { decodeText } from "../decode.ts"
import type { Loader, Section } from "../types.ts"

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/
const FRONT_MATTER = /^---\n[\s\S]*?\n---\s*\n/

/** Markdown, by its headings; each section knows the headings above it. Fenced code holds no headings. */
export const loadMarkdown: Loader = (bytes) => {
  const sections: Section[] = []
  const path: string[] = []
  let lines: string[] = []
  let title: string | undefined
  let fence: string | null = null
  const close = () => {
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
      close()
      const level = heading[1]!.length
      path.length = level - 1
      path[level - 1] = heading[2]!
      title ??= heading[2]!
    }
    lines.push(line)
  }
  close()
  return { ...(title ? { title } : {}), sections }
}
