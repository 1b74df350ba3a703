import { firstWordFrom } from "../partition-point.ts"
import type { WordSpan } from "../transcript/words.ts"
import type { FlatTopic } from "./topic-tree.ts"

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
    for (let i = firstWordFrom(words, start_s); i < words.length && words[i]!.start < start_s + duration_s; i++) {
      const { speaker, start, end } = words[i]!
      seconds.set(speaker, (seconds.get(speaker) ?? 0) + end - start)
    }
    let leading: string | null = null
    for (const [speaker, spoken] of seconds) if (leading === null || spoken > seconds.get(leading)!) leading = speaker
    return leading
  })
