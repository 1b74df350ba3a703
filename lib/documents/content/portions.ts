import type { ContentPortion, OutlineEntry, PortionEntry } from "../../domain/document-content.ts"
import { cutText } from "../document-builder.ts"
import { type PlacedBlock, textOfBlock } from "./content-builder.ts"
import type { PlacedChunk } from "./place-chunks.ts"

const MAX_PORTION_BLOCKS = 150
const MAX_PORTION_CHARACTERS = 24_000
const MAX_OUTLINE_ENTRIES = 2000
const MAX_OUTLINE_CHARACTERS = 200

export type DividedContent = {
  readonly portions: readonly (ContentPortion & { readonly entry: PortionEntry })[]
  readonly outline: readonly OutlineEntry[]
}

/** Returns the positions of the blocks that begin a portion. */
const findStarts = (blocks: readonly PlacedBlock[]): number[] => {
  const starts: number[] = []
  let characters = 0
  blocks.forEach(({ block, page }, i) => {
    const length = textOfBlock(block).length
    const isFull =
      i - (starts.at(-1) ?? 0) >= MAX_PORTION_BLOCKS || (characters > 0 && characters + length > MAX_PORTION_CHARACTERS)
    if (i === 0 || isFull || page !== blocks[i - 1]!.page) {
      starts.push(i)
      characters = 0
    }
    characters += length
  })
  return starts
}

/** Returns the headings. If there are too many, those of the deepest levels are left out, then the last ones. */
const limitOutline = (outline: readonly OutlineEntry[]): OutlineEntry[] => {
  const levels = [...new Set(outline.map(({ level }) => level))].toSorted((a, b) => b - a)
  const upTo = (level: number) => outline.filter((entry) => entry.level <= level)
  const level = levels.find((level) => upTo(level).length <= MAX_OUTLINE_ENTRIES) ?? levels.at(-1) ?? 1
  return upTo(level).slice(0, MAX_OUTLINE_ENTRIES)
}

/** Divides the blocks of a document into portions that a page loads one by one. A portion is of one page. */
export const divideContent = (blocks: readonly PlacedBlock[], chunks: readonly PlacedChunk[]): DividedContent => {
  const starts = findStarts(blocks)
  const outline: OutlineEntry[] = []
  const byBlock = chunks.toSorted((a, b) => a.block - b.block || a.chunk - b.chunk)
  /** The block that each chunk begins in. */
  const begins: number[] = []
  for (const { chunk, block } of chunks) begins[chunk] ??= block
  let next = 0
  let firstChunk = 0
  const portions = starts.map((start, portion) => {
    const end = starts[portion + 1] ?? blocks.length
    const own = blocks.slice(start, end)
    own.forEach(({ block }, i) => {
      const text = block.type === "heading" ? textOfBlock(block).replace(/\s+/g, " ").trim() : ""
      if (block.type === "heading" && text)
        outline.push({ portion, block: i, level: block.level, text: cutText(text, MAX_OUTLINE_CHARACTERS) })
    })
    const first = next
    while (next < byBlock.length && byBlock[next]!.block < end) next++
    while (firstChunk < begins.length && begins[firstChunk]! < start) firstChunk++
    const page = own[0]?.page
    return {
      blocks: own.map(({ block }) => block),
      chunks: byBlock.slice(first, next).map((range) => ({ ...range, block: range.block - start })),
      entry: {
        blocks: own.length,
        characters: own.reduce((sum, { block }) => sum + textOfBlock(block).length, 0),
        first_chunk: firstChunk,
        ...(page !== undefined && { page }),
      },
    }
  })
  return { portions, outline: limitOutline(outline) }
}
