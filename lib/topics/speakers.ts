import type { FlatTopic } from "../contracts/topics.ts"
import type { WordSpan } from "../contracts/words.ts"

/** The first word that starts at or after a time; starts do not fall. */
const firstFrom = (words: readonly WordSpan[], time: number): number => {
  let low = 0
  let high = words.length
  while (low < high) {
    const at = (low + high) >> 1
    if (words[at]!.start < time) low = at + 1
    else high = at
  }
  return low
}

/**
 * Who speaks longest in each topic, by the seconds of the words that begin in it; of equals who speaks first. Null where
 * nobody does.
 */
export const leadingSpeakers = (
  words: readonly WordSpan[],
  topics: readonly Pick<FlatTopic, "start_s" | "duration_s">[],
): (string | null)[] =>
  topics.map(({ start_s, duration_s }) => {
    const seconds = new Map<string, number>()
    for (let i = firstFrom(words, start_s); i < words.length && words[i]!.start < start_s + duration_s; i++) {
      const { speaker, start, end } = words[i]!
      seconds.set(speaker, (seconds.get(speaker) ?? 0) + end - start)
    }
    let leading: string | null = null
    for (const [speaker, spoken] of seconds) if (leading === null || spoken > seconds.get(leading)!) leading = speaker
    return leading
  })
