import type { ChunkRange } from "../../domain/document-content.ts"
import { lettersOf, positionOfLetter } from "../../domain/text/letters.ts"
import { type PlacedBlock, textOfBlock } from "./content-builder.ts"

/** A chunk is expected within this many letters after the one before it. */
const MAX_GAP = 20_000
/** If the text of a chunk is not found as a whole, samples of these lengths from its beginning and end are. */
const SAMPLES = [32, 12]
const MAX_SAMPLES = 40

/** Finds the first sample of a text, from its beginning or end, that is in another. Returns -1 if there is none. */
const findSample = (text: string, within: string, from: "start" | "end"): number => {
  for (const size of SAMPLES) {
    const length = Math.min(size, text.length)
    for (let n = 0; n < MAX_SAMPLES; n++) {
      const offset = n * (size / 2)
      if (offset + length > text.length) break
      const at = from === "start" ? offset : text.length - length - offset
      const sample = text.slice(at, at + length)
      const found = from === "start" ? within.indexOf(sample) : within.lastIndexOf(sample)
      if (found < 0) continue
      // What precedes the first sample that is found belongs to the chunk, as far as it is there.
      if (from === "start") return Math.max(0, found - offset)
      let more = 0
      while (more < offset && text[at + length + more] === within[found + length + more]) more++
      return found + length + more
    }
  }
  return -1
}

/** `isExact` is true if the whole text was found. */
type Span = { readonly start: number; readonly end: number; readonly isExact: boolean }

/** Finds where a chunk is in the letters of the blocks, at or after a position. */
const findSpan = (letters: string, chunk: string, after: number): Span => {
  const within = letters.slice(after, after + chunk.length + MAX_GAP)
  const whole = chunk === "" ? -1 : within.indexOf(chunk)
  if (whole >= 0) return { start: after + whole, end: after + whole + chunk.length, isExact: true }
  const start = findSample(chunk, within, "start")
  if (start < 0) return { start: after, end: after, isExact: false }
  // The end is no farther from the beginning than the chunk is long.
  const end = findSample(chunk, within.slice(start, start + chunk.length), "end")
  return {
    start: after + start,
    end: after + start + Math.max(end, Math.min(SAMPLES[0]!, chunk.length)),
    isExact: false,
  }
}

/** Finds the spans of chunks in order. */
const findSpans = (letters: string, chunks: readonly string[], overlap: number): Span[] => {
  const spans: Span[] = []
  for (const chunk of chunks) {
    const { start, end } = spans.at(-1) ?? { start: 0, end: 0 }
    spans.push(findSpan(letters, chunk, Math.max(start, end - overlap)))
  }
  // A chunk of which only parts were found extends to the next one.
  return spans.map((span, i) => {
    if (span.isExact || span.end === span.start) return span
    const next = spans[i + 1]?.start ?? letters.length
    return { ...span, end: Math.max(span.end, Math.min(next, span.start + chunks[i]!.length)) }
  })
}

/** Where a chunk is in one block. Positions of blocks count in the document. */
export type PlacedChunk = ChunkRange

/**
 * Finds the blocks that chunks extend over, by their letters and digits. Both come from the same file in the same order, but marks of the format, column
 * names and hidden parts are only in one of them.
 * @param chunks the texts of the chunks in order
 * @param overlap the maximum number of characters that a chunk repeats from the previous one
 * @returns the ranges of the chunks in order. A chunk that is not found is an empty range where it is expected.
 */
export const placeChunks = (
  blocks: readonly PlacedBlock[],
  chunks: Iterable<string>,
  overlap: number,
): PlacedChunk[] => {
  const starts: number[] = []
  const parts: string[] = []
  let total = 0
  for (const { indexed } of blocks) {
    starts.push(total)
    const letters = lettersOf(indexed)
    parts.push(letters)
    total += letters.length
  }
  const placed: PlacedChunk[] = []
  let first = 0
  findSpans(parts.join(""), [...chunks].map(lettersOf), overlap).forEach((span, chunk) => {
    while (first + 1 < blocks.length && starts[first + 1]! <= span.start) first++
    const before = placed.length
    for (let block = first; block < blocks.length && starts[block]! < span.end; block++) {
      const length = parts[block]!.length
      const from = Math.max(0, span.start - starts[block]!)
      const to = Math.min(length, span.end - starts[block]!)
      if (from >= to) continue
      const text = textOfBlock(blocks[block]!.block)
      const isOwnText = blocks[block]!.indexed === text
      placed.push({
        chunk,
        block,
        from: isOwnText && from > 0 ? positionOfLetter(text, from) : 0,
        to: isOwnText && to < length ? positionOfLetter(text, to - 1) + 1 : text.length,
      })
    }
    if (placed.length === before) placed.push({ chunk, block: first, from: 0, to: 0 })
  })
  return placed
}
