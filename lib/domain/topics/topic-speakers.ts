import { findFirstWordFrom } from "../partition-point.ts"
import type { WordSpan } from "../transcript/words.ts"
import type { FlatTopic } from "./topic-tree.ts"

/**
 * Finds the speaker who speaks longest in each topic, counting the words that begin in it. On a tie the first to speak
 * wins. Returns null for a topic without words.
 */
export const findLeadingSpeakers = (
  words: readonly WordSpan[],
  topics: readonly Pick<FlatTopic, "start_s" | "duration_s">[],
): (string | null)[] =>
  topics.map(({ start_s, duration_s }) => {
    const seconds = new Map<string, number>()
    for (let i = findFirstWordFrom(words, start_s); i < words.length && words[i]!.start < start_s + duration_s; i++) {
      const { speaker, start, end } = words[i]!
      seconds.set(speaker, (seconds.get(speaker) ?? 0) + end - start)
    }
    let leading: string | null = null
    for (const [speaker, total] of seconds) if (leading === null || total > seconds.get(leading)!) leading = speaker
    return leading
  })
