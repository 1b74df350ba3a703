import { AppError } from "../domain/errors.ts"
import { LIMITS } from "./limits.ts"
import type { Extracted, Section } from "./types.ts"

/** Shortens a text to at most `max` characters, the last of which is then an ellipsis. Never divides a surrogate pair. */
export const cutText = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`

/** Returns the path of a heading, "Parent › Child". Omits the outermost parents if it would be too long. */
const toHeadingPath = (headings: readonly string[]): string => {
  const path = headings.filter(Boolean)
  while (path.length > 1 && path.join(" › ").length > LIMITS.headingCharacters) path.shift()
  return path.join(" › ")
}

/** Collects what a loader extracts. Every title and heading passes here, is cut here and counts against the limit. */
export type DocumentBuilder = {
  /** Sets the title. An empty one has no effect. */
  setTitle(title: string | undefined): void
  /** Starts a heading of a level from 1. It ends the headings of the same and deeper levels. */
  setHeading(level: number, text: string): void
  /** Ends all headings, where another part of the document begins. */
  clearHeadings(): void
  /** Adds a section, unless its text is blank. `heading` replaces the path of the headings that were set. */
  add(section: Section): void
  /** Adds a section of lines. The loader has counted their characters with `count` while it made them. */
  addLines(lines: readonly string[], position?: Pick<Section, "heading" | "page">): void
  /** Counts characters of the output. @throws AppError `invalid` if the document contains too many */
  count(characters: number): void
  build(): Extracted
}

export const createDocumentBuilder = (): DocumentBuilder => {
  const sections: Section[] = []
  let title = ""
  let headings: string[] = []
  let path = ""
  let characters = 0
  const count = (added: number): void => {
    characters += added
    if (characters > LIMITS.characters)
      throw new AppError("invalid", `it contains more than ${LIMITS.characters / 1_000_000} million characters`)
  }
  const push = ({ heading = path, ...section }: Section): void => {
    const short = cutText(heading, LIMITS.headingCharacters)
    count(short.length)
    sections.push(short ? { ...section, heading: short } : section)
  }
  return {
    setTitle: (text = "") => {
      title ||= cutText(text.trim(), LIMITS.titleCharacters)
    },
    setHeading: (level, text) => {
      headings = Array.from({ length: level - 1 }, (_, i) => headings[i] ?? "")
      headings.push(cutText(text.trim(), LIMITS.headingCharacters))
      path = toHeadingPath(headings)
    },
    clearHeadings: () => {
      headings = []
      path = ""
    },
    add: (section) => {
      if (!section.text.trim()) return
      count(section.text.length)
      push(section)
    },
    addLines: (lines, position = {}) => {
      if (lines.length > 0) push({ text: lines.join("\n"), ...position, lines: true })
    },
    count,
    build: () => ({ ...(title ? { title } : {}), sections }),
  }
}
