import type { WordSpan } from "../domain/transcript/words.ts"
import { type Line, linesOf, renderLines } from "../engines/language/boundary-text.ts"

/** The transcript of one window of time, with a line `MM:SS-MM:SS Speaker K: <words>` per speaker turn. */
export type Block = { readonly start_s: number; readonly end_s: number; readonly text: string }

/** Groups words by their start into windows of `blockSeconds`. Windows without words are left out. */
export const groupIntoBlocks = (words: readonly WordSpan[], blockSeconds: number): Block[] => {
  const windows = new Map<number, Line[]>()
  for (const line of linesOf(words, blockSeconds)) {
    const lines = windows.get(line.bucket)
    if (lines) lines.push(line)
    else windows.set(line.bucket, [line])
  }
  return [...windows].map(([bucket, lines]) => ({
    start_s: bucket * blockSeconds,
    end_s: (bucket + 1) * blockSeconds,
    text: renderLines(lines),
  }))
}
