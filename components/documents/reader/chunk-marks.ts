import type { ContentPortion } from "#lib/domain/document-content.ts"
import type { Mark } from "./marked-runs.ts"
import type { Match } from "./use-find.ts"

/** Returns the highlights of each block of a portion: those of a chunk, of matches, and of the match that is shown. */
export const toMarks = (
  { blocks, chunks }: ContentPortion,
  passage: number | null,
  matches: readonly Match[],
  now: Match | null,
): Mark[][] => {
  const marks: Mark[][] = blocks.map(() => [])
  for (const { chunk, block, from, to } of chunks)
    if (chunk === passage && to > from) marks[block]?.push({ from, to, kind: "passage" })
  for (const match of matches)
    marks[match.block]?.push({ from: match.from, to: match.to, kind: match === now ? "now" : "match" })
  return marks
}

/** Returns the chunks that begin in each block of a portion. @param firstChunk the first one that begins in the portion */
export const toAnchors = ({ blocks, chunks }: ContentPortion, firstChunk: number): number[][] => {
  const anchors: number[][] = blocks.map(() => [])
  let begun = firstChunk - 1
  for (const { chunk, block } of chunks) {
    if (chunk <= begun) continue
    anchors[block]?.push(chunk)
    begun = chunk
  }
  return anchors
}
