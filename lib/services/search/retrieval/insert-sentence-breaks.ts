import { isAbsolute } from "node:path"
import type { QuerySource } from "../../../domain/documents.ts"
import { endsSentence, spokenSentences } from "../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { Deps } from "../../deps.ts"

type Spoken = Pick<Deps, "store">

/** Times of words and passages are of the same floats, but for what a database makes of them. */
const SLACK_S = 0.001

/** The words of a passage; none of a document, or of a recording that is gone by now. */
export const spokenWords = async ({ store }: Spoken, { chunk }: QuerySource): Promise<readonly WordSpan[]> => {
  const { source, start_s, end_s } = chunk.metadata
  if (start_s === undefined || end_s === undefined || isAbsolute(source)) return []
  const words = (await store?.clips.get(source))?.transcription ?? []
  return words.filter((w) => w.start >= start_s - SLACK_S && w.start <= end_s)
}

/**
 * The text of a passage for whoever answers from it. Where a recording was heard without punctuation an empty line stands
 * at each silence that may end a sentence: nobody is told a minute of speech for the half sentence that answers.
 */
export const insertSentenceBreaks = async (deps: Spoken, source: QuerySource): Promise<string> => {
  const { text, metadata } = source.chunk
  if (metadata.start_s === undefined || text.split(/\s+/).some(endsSentence)) return text
  const words = await spokenWords(deps, source)
  const sentences = spokenSentences(words).map(({ first, end }) => words.slice(first, end).map((w) => w.word))
  return sentences.map((sentence) => sentence.join(" ")).join("\n\n") || text
}
