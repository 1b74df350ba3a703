import type { WordSpan } from "../domain/transcript/words.ts"
import { type Line, linesOf, renderLines } from "../engines/language/boundary-text.ts"

/** What is said in one window of time: a line `MM:SS-MM:SS Speaker K: <words>` for each speaker turn. Seconds. */
export type Block = { readonly start_s: number; readonly end_s: number; readonly text: string }

/** Words bucketed by their start into windows of `blockSeconds`; windows in which nobody speaks are left out. */
export const blocksOf = (words: readonly WordSpan[], blockSeconds: number): Block[] => {
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
