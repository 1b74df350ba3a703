import type { WordSpan } from "../domain/transcript/words.ts"
import { formatLines, groupIntoLines, type TranscriptLine } from "../engines/language/boundary-text.ts"

/** The transcript of one window of time, with a line `MM:SS-MM:SS Speaker K: <words>` per speaker turn. */
export type Block = { readonly start_s: number; readonly end_s: number; readonly text: string }

/** Groups words by their start into windows of `blockSeconds`. Windows without words are left out. */
export const groupIntoBlocks = (words: readonly WordSpan[], blockSeconds: number): Block[] => {
  const windows = new Map<number, TranscriptLine[]>()
  for (const line of groupIntoLines(words, blockSeconds)) {
    const lines = windows.get(line.block)
    if (lines) lines.push(line)
    else windows.set(line.block, [line])
  }
  return [...windows].map(([block, lines]) => ({
    start_s: block * blockSeconds,
    end_s: (block + 1) * blockSeconds,
    text: formatLines(lines),
  }))
}
