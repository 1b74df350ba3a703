import type { ContentBlock, TextRun } from "../../domain/document-content.ts"
import { AppError } from "../../domain/errors.ts"
import { cutText } from "../document-builder.ts"
import { LIMITS } from "../limits.ts"
import { findLastSpace } from "../split.ts"

/** A block with what connects it to the chunks of the document. */
export type PlacedBlock = {
  readonly block: ContentBlock
  /** The text of the block as chunks contain it. */
  readonly indexed: string
  readonly page?: number
}

/** Collects the blocks of a document, and divides those that are long. */
export type ContentBuilder = {
  /**
   * Levels of headings are counted, so that none is left out: the first heading has level 1.
   * @param indexed the text as chunks contain it, if it differs from that of the block
   */
  add(block: ContentBlock, indexed?: string): void
  /** Sets the page, slide or sheet of the blocks that follow. */
  setPage(page: number): void
  build(): readonly PlacedBlock[]
}

const MAX_BLOCK_CHARACTERS = 6000
const MAX_CODE_LINES = 60
const MAX_CELL_CHARACTERS = 2000
const MAX_ROW_CHARACTERS = 20_000
const MAX_HEADING_CHARACTERS = 600
const MAX_HEADING_LEVEL = 6

export const textOfRuns = (runs: readonly TextRun[]): string => runs.map(({ text }) => text).join("")

/** Returns the text of a block, in which the ranges of chunks and matches count. */
export const textOfBlock = (block: ContentBlock): string => {
  if (block.type === "rule") return ""
  if (block.type === "code") return block.text
  return block.type === "row" ? block.cells.map(textOfRuns).join("\n") : textOfRuns(block.runs)
}

/** Cuts runs after a number of characters. */
const cutRuns = (runs: readonly TextRun[], max: number): TextRun[] => {
  const cut: TextRun[] = []
  let left = max
  for (const run of runs) {
    if (left <= 0) break
    cut.push({ ...run, text: cutText(run.text, left) })
    left -= run.text.length
  }
  return cut
}

/** Returns where to divide a text that is too long: after white space, never inside a surrogate pair. */
const findDivision = (text: string, max: number): number => {
  const space = findLastSpace(text.slice(max >> 1, max))
  const at = space < 0 ? max : (max >> 1) + space + 1
  return /[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at
}

/** Divides runs into parts of at most MAX_BLOCK_CHARACTERS characters. */
const divideRuns = (runs: readonly TextRun[]): TextRun[][] => {
  const parts: TextRun[][] = [[]]
  let length = 0
  for (const run of runs) {
    let { text } = run
    while (length + text.length > MAX_BLOCK_CHARACTERS) {
      const at = findDivision(text, MAX_BLOCK_CHARACTERS - length)
      parts.at(-1)!.push({ ...run, text: text.slice(0, at) })
      text = text.slice(at)
      parts.push([])
      length = 0
    }
    if (text !== "") parts.at(-1)!.push({ ...run, text })
    length += text.length
  }
  return parts.filter((part) => part.length > 0)
}

/** Divides code into parts of some lines each. */
const divideCode = (text: string): string[] => {
  const parts: string[] = []
  let lines: string[] = []
  let length = 0
  const end = () => {
    if (lines.length > 0) parts.push(lines.join("\n"))
    lines = []
    length = 0
  }
  for (let line of text.split("\n")) {
    for (; line.length > MAX_BLOCK_CHARACTERS; line = line.slice(MAX_BLOCK_CHARACTERS)) {
      end()
      parts.push(line.slice(0, MAX_BLOCK_CHARACTERS))
    }
    if (lines.length >= MAX_CODE_LINES || length + line.length > MAX_BLOCK_CHARACTERS) end()
    lines.push(line)
    length += line.length + 1
  }
  end()
  return parts
}

const cutRow = (cells: readonly (readonly TextRun[])[]): TextRun[][] => {
  let left = MAX_ROW_CHARACTERS
  return cells.map((runs) => {
    const cut = cutRuns(runs, Math.min(left, MAX_CELL_CHARACTERS))
    left -= textOfRuns(cut).length
    return cut
  })
}

/** Divides a block that is too long to be laid out as one. */
const divideBlock = (block: ContentBlock): ContentBlock[] => {
  switch (block.type) {
    case "heading":
      return [{ ...block, runs: cutRuns(block.runs, MAX_HEADING_CHARACTERS) }]
    case "paragraph":
      return divideRuns(block.runs).map((runs, i) => {
        const { label, ...rest } = block
        return { ...rest, ...(i === 0 && label !== undefined && { label }), runs }
      })
    case "item":
      return divideRuns(block.runs).map((runs, i) => ({ ...block, marker: i === 0 ? block.marker : "", runs }))
    case "code":
      return divideCode(block.text).map((text, i) => ({ ...block, text, ...(i > 0 && { continues: true }) }))
    case "row":
      return [{ ...block, cells: cutRow(block.cells) }]
    case "rule":
      return [block]
  }
}

export const createContentBuilder = (): ContentBuilder => {
  const placed: PlacedBlock[] = []
  /** The levels of the open headings, as the file has them. */
  const levels: number[] = []
  const nest = (block: ContentBlock): ContentBlock => {
    if (block.type !== "heading") return block
    while (levels.length > 0 && levels.at(-1)! >= block.level) levels.pop()
    levels.push(block.level)
    return { ...block, level: Math.min(levels.length, MAX_HEADING_LEVEL) }
  }
  let page: number | undefined
  let characters = 0
  return {
    add: (block, indexed) => {
      for (const [i, part] of divideBlock(nest(block)).entries()) {
        const text = textOfBlock(part)
        characters += text.length
        if (characters > LIMITS.characters || placed.length >= LIMITS.blocks)
          throw new AppError("too_large", "it is too large to be laid out")
        const own = indexed === undefined ? text : i === 0 ? indexed : ""
        placed.push({ block: part, indexed: own, ...(page !== undefined && { page }) })
      }
    },
    setPage: (next) => {
      page = next
    },
    build: () => placed,
  }
}
