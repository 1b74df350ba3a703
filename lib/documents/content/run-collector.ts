import type { TextRun } from "../../domain/document-content.ts"

type Style = "bold" | "italic" | "struck" | "code"
const STYLE_NAMES = ["bold", "italic", "struck", "code"] as const

const MAX_HREF_CHARACTERS = 2000

/** Returns an address that a link of a document may have; null for others, such as those of scripts. */
export const toHref = (address: string | undefined): string | null => {
  const href = address?.trim() ?? ""
  if (!/^(?:https?:\/\/|mailto:)/i.test(href) || href.length > MAX_HREF_CHARACTERS) return null
  return URL.canParse(href) ? href : null
}

/** Collects the text of a block by style. White space is collapsed as browsers do. */
export type RunCollector = {
  addText(text: string): void
  addBreak(): void
  openStyle(style: Style): void
  closeStyle(style: Style): void
  /** @param href null for a link that is shown as text */
  openLink(href: string | null): void
  closeLink(): void
  /** Returns the text and starts anew. Styles and links stay open. */
  take(): TextRun[]
}

const isSameStyle = (a: TextRun, b: Omit<TextRun, "text">): boolean =>
  a.href === b.href && STYLE_NAMES.every((name) => a[name] === b[name])

export const createRunCollector = (): RunCollector => {
  const open = { bold: 0, italic: 0, struck: 0, code: 0 }
  const links: (string | null)[] = []
  let runs: { parts: string[]; style: Omit<TextRun, "text"> }[] = []
  let last = "\n"
  const styleNow = (): Omit<TextRun, "text"> => {
    const href = links.at(-1)
    const styles = STYLE_NAMES.filter((name) => open[name] > 0).map((name) => [name, true as const])
    return { ...Object.fromEntries(styles), ...(href != null && { href }) }
  }
  const append = (text: string): void => {
    if (text === "") return
    const style = styleNow()
    const current = runs.at(-1)
    if (current && isSameStyle({ text: "", ...current.style }, style)) current.parts.push(text)
    else runs.push({ parts: [text], style })
    last = text[text.length - 1]!
  }
  return {
    addText: (text) => {
      const collapsed = text.replace(/\s+/g, " ")
      append(/\s/.test(last) ? collapsed.trimStart() : collapsed)
    },
    addBreak: () => {
      if (runs.length > 0) append("\n")
    },
    openStyle: (style) => {
      open[style]++
    },
    closeStyle: (style) => {
      open[style] = Math.max(0, open[style] - 1)
    },
    openLink: (href) => {
      links.push(href)
    },
    closeLink: () => {
      links.pop()
    },
    take: () => {
      const taken: TextRun[] = runs.map(({ parts, style }) => ({ ...style, text: parts.join("") }))
      runs = []
      last = "\n"
      while (taken.length > 0) {
        const text = taken.at(-1)!.text.trimEnd()
        if (text !== "") {
          taken[taken.length - 1] = { ...taken.at(-1)!, text }
          break
        }
        taken.pop()
      }
      return taken
    },
  }
}
