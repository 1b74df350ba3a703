import type { NoteSource } from "#lib/domain/notes.ts"
import { client, errorMessage } from "../api/client.ts"
import { notify, notifyError } from "../ui/toast-queue.ts"
import { describeLocation, getSourceHref, getSourceName, isFromRecording } from "./citations.ts"
import type { Turn } from "./conversation.ts"

/** The limits of a note. */
const MAX_NOTE_SOURCES = 50
const MAX_SOURCE_CHARS = 4000

/** Returns the numbers of the cited sources, in ascending order. */
const citedOf = ({ citations = [], found }: Turn): number[] =>
  [...new Set([...citations, ...(found?.extracts ?? [])].map(({ source }) => source))].sort((a, b) => a - b)

const startOf = ({ citations = [], found }: Turn, number: number): number | undefined =>
  [...(found?.extracts ?? []), ...citations].find(({ source }) => source === number)?.start_s

const answerText = ({ answer, found }: Turn): string =>
  found ? found.extracts.map(({ text, source }) => `- ${text} [${source}]`).join("\n") : answer

/** Returns a question, its answer and the cited sources as Markdown, with links to `origin`. */
export const toMarkdown = (turn: Turn, origin: string): string => {
  const sources = citedOf(turn).map((number) => {
    const source = turn.sources[number - 1]!
    const start_s = startOf(turn, number)
    const place = describeLocation(source.chunk, start_s)
    const name = [getSourceName(source.chunk), place].filter(Boolean).join(", ").replace(/[[\]]/g, "\\$&")
    return `${number}. [${name}](${origin}${getSourceHref(source, start_s)})`
  })
  const blocks = [
    `**${turn.question}**`,
    answerText(turn),
    ...(sources.length > 0 ? [`Sources:\n${sources.join("\n")}`] : []),
  ]
  return `${blocks.join("\n\n")}\n`
}

/** Returns the cited sources as those of a note. */
export const toNoteSources = (turn: Turn): NoteSource[] =>
  citedOf(turn)
    .slice(0, MAX_NOTE_SOURCES)
    .map((number) => {
      const { chunk } = turn.sources[number - 1]!
      const { page } = chunk.metadata
      const start_s = startOf(turn, number)
      return {
        title: getSourceName(chunk).slice(0, 500),
        text: chunk.text.slice(0, MAX_SOURCE_CHARS),
        ...(isFromRecording(chunk)
          ? { clip_id: chunk.metadata.source, ...(start_s !== undefined && { start_s }) }
          : { document_id: chunk.doc_id, ...(page !== undefined && { page }) }),
      }
    })

/** Saves an answer with its sources as a note of the library. */
export const saveAsNote = async (turn: Turn): Promise<void> => {
  try {
    await client.createNote({ text: `${turn.question}\n\n${answerText(turn)}`, sources: toNoteSources(turn) })
    notify("Saved as a note")
  } catch (error) {
    notifyError(errorMessage(error))
  }
}

/** Returns the address of the map with the topics in which the cited sentences are said, or null if there are none. */
export const findOnMap = async (turn: Turn): Promise<string | null> => {
  const spoken = citedOf(turn).flatMap((number) => {
    const { chunk } = turn.sources[number - 1]!
    return isFromRecording(chunk)
      ? [{ id: chunk.metadata.source, second: startOf(turn, number) ?? chunk.metadata.start_s ?? 0 }]
      : []
  })
  const ids = [...new Set(spoken.map(({ id }) => id))]
  const clips = await Promise.all(ids.map((id) => client.clip(id, { fields: ["id", "topics"] })))
  const keys = spoken.flatMap(({ id, second }) => {
    const topics = clips.find((clip) => clip.id === id)?.topics ?? []
    const inside = topics.filter(
      ({ level, start_s, duration_s }) => level > 1 && start_s <= second && second < start_s + duration_s,
    )
    const finest = inside.reduce<(typeof inside)[number] | null>((a, b) => (a && a.level >= b.level ? a : b), null)
    return finest ? [`${id}~${finest.number}`] : []
  })
  return keys.length > 0 ? `/viz?chosen=${encodeURIComponent([...new Set(keys)].join(" "))}` : null
}
