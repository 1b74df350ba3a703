import type { Clip } from "../domain/clips.ts"
import { utterancesOf } from "../domain/text/utterances.ts"
import type { WordSpan } from "../domain/transcript/words.ts"
import type { Split } from "./split.ts"

/** A passage of speech is shorter than one of text: its start is what a listener is sent to. */
const MAX_SECONDS = 90
const MAX_CHARACTERS = 700

const passage = (clip: Pick<Clip, "title">, words: readonly WordSpan[]): Split => ({
  text: words.map((w) => w.word).join(" "),
  context: clip.title,
  metadata: {
    title: clip.title,
    start_s: words[0]!.start,
    end_s: words.reduce((end, w) => Math.max(end, w.end), 0),
  },
})

/**
 * The transcript of a clip in passages of whole utterances, each at most `chunkSize` characters and a minute and a half;
 * an utterance that is longer stands alone. They cover every word in order.
 */
export const passagesOf = (clip: Pick<Clip, "title" | "transcription">, chunkSize: number): Split[] => {
  const { transcription: words } = clip
  const limit = Math.min(chunkSize, MAX_CHARACTERS)
  const passages: Split[] = []
  let first = 0
  let end = 0
  let characters = 0
  for (const utterance of utterancesOf(words)) {
    const length = words.slice(utterance.first, utterance.end).reduce((sum, w) => sum + w.word.length + 1, 0)
    const full = characters + length > limit || utterance.end_s - (words[first]?.start ?? 0) > MAX_SECONDS
    if (end > first && full) {
      passages.push(passage(clip, words.slice(first, end)))
      first = end
      characters = 0
    }
    end = utterance.end
    characters += length
  }
  if (end > first) passages.push(passage(clip, words.slice(first, end)))
  return passages
}
