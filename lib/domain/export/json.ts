import { type Exported, speakerNames } from "./text.ts"
import { turnsOf } from "./turns.ts"

/** JSON: what is known of the recording, its topic tree, and its words in segments of one named speaker. Seconds. */
export const toJson = (clip: Exported): string => {
  const nameOf = speakerNames(clip)
  const ids = [...new Set(clip.transcription.map((w) => w.speaker))]
  const { id, title, source_url, created_at, duration_s, language, tree } = clip
  const segments = turnsOf(clip).map(({ speaker, name, start_s, end_s, text, words }) => ({
    speaker,
    name,
    start_s,
    end_s,
    text,
    words: words.map(({ word, start, end }) => ({ word, start, end })),
  }))
  const speakers = Object.fromEntries(ids.map((speaker) => [speaker, nameOf(speaker)]))
  const document = { id, title, source_url, created_at, duration_s, language, speakers, topics: tree.topics, segments }
  return `${JSON.stringify(document, null, 2)}\n`
}
