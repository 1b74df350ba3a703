import { formatClock } from "../text/format-clock.ts"
import { listAdditions } from "./additions.ts"
import { createSpeakerNamer, type ExportableClip, oneLine } from "./clip-text.ts"
import { escapeMarkdown } from "./escape-markdown.ts"
import { listSections } from "./sections.ts"
import { listSpeakerTurns, type SpeakerTurn } from "./speaker-turns.ts"

/** Writes plain text: the title, then one paragraph per speaker turn with its time and speaker. */
export const toTxt = (clip: ExportableClip): string => {
  const turns = listSpeakerTurns(clip).map(
    ({ start_s, name, text }) => `[${formatClock(start_s)}] ${name === null ? "" : `${name}: `}${text}\n`,
  )
  return [`${oneLine(clip.title)}\n`, ...turns].join("\n")
}

/** Writes Markdown: topics as headings with time and summary, and the transcript below the innermost topics. */
export const toMarkdown = (clip: ExportableClip): string => {
  const { summary, opening, sections } = listSections(clip)
  const toParagraph = ({ start_s, name, text }: SpeakerTurn): string => {
    const label = name === null ? "" : `**${escapeMarkdown(name)}** `
    return `${label}\\[${formatClock(start_s)}\\] ${escapeMarkdown(text)}`
  }
  const parts = [`# ${escapeMarkdown(clip.title)}`]
  if (summary) parts.push(escapeMarkdown(summary))
  for (const { title, depth: level, origin, lines } of listAdditions(clip)) {
    parts.push(`${"#".repeat(level + 1)} ${escapeMarkdown(title)}`)
    if (origin !== "") parts.push(`*${escapeMarkdown(origin)}*`)
    if (lines.length > 0)
      parts.push(
        lines
          .map(({ text, detail, start_s }) => {
            const time = start_s === null ? "" : ` \\[${formatClock(start_s)}\\]`
            return `- ${escapeMarkdown(text)}${time}${detail === null ? "" : `\n  ${escapeMarkdown(detail)}`}`
          })
          .join("\n"),
      )
  }
  parts.push(...opening.map(toParagraph))
  for (const { node, depth, turns } of sections) {
    parts.push(`${"#".repeat(depth + 1)} ${escapeMarkdown(node.title)} \\[${formatClock(node.start_s)}\\]`)
    if (node.summary) parts.push(`*${escapeMarkdown(node.summary)}*`)
    parts.push(...turns.map(toParagraph))
  }
  return `${parts.join("\n\n")}\n`
}

/** Writes JSON: the data of the recording, its topic tree, and its words grouped by speaker turn. Times are in seconds. */
export const toJson = (clip: ExportableClip): string => {
  const nameOf = createSpeakerNamer(clip)
  const ids = [...new Set(clip.transcription.map((w) => w.speaker))]
  const { id, title, source_url, created_at, duration_s, language, tree } = clip
  const segments = listSpeakerTurns(clip).map(({ speaker, name, start_s, end_s, text, words }) => ({
    speaker,
    name,
    start_s,
    end_s,
    text,
    words: words.map(({ word, start, end }) => ({ word, start, end })),
  }))
  const speakers = Object.fromEntries(ids.map((speaker) => [speaker, nameOf(speaker)]))
  const { notes, summaries } = clip
  const added = { ...(notes && { notes }), ...(summaries && { summaries }) }
  const facts = { id, title, source_url, created_at, duration_s, language, speakers }
  const document = { ...facts, topics: tree.topics, ...added, segments }
  return `${JSON.stringify(document, null, 2)}\n`
}
