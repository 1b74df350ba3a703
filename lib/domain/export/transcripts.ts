import { formatClock } from "../text/format-clock.ts"
import { createSpeakerNamer, type ExportableClip, oneLine } from "./clip-text.ts"
import { listSections } from "./sections.ts"
import { listSpeakerTurns, type SpeakerTurn } from "./speaker-turns.ts"

/** Writes plain text: the title, then one paragraph per speaker turn with its time and speaker. */
export const toTxt = (clip: ExportableClip): string => {
  const turns = listSpeakerTurns(clip).map(
    ({ start_s, name, text }) => `[${formatClock(start_s)}] ${name === null ? "" : `${name}: `}${text}\n`,
  )
  return [`${oneLine(clip.title)}\n`, ...turns].join("\n")
}

/** Escapes Markdown punctuation (CommonMark 2.4), including characters that are special only at the start of a line. */
export const escapeMarkdown = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*_{}[\]<>()#|~&!$]/g, "\\$&")
    .replace(/^[-+=]/, "\\$&")
    .replace(/^(\d+)\./, "$1\\.")

/** Writes Markdown: topics as headings with time and summary, and the transcript below the innermost topics. */
export const toMarkdown = (clip: ExportableClip): string => {
  const { summary, opening, sections } = listSections(clip)
  const toParagraph = ({ start_s, name, text }: SpeakerTurn): string => {
    const label = name === null ? "" : `**${escapeMarkdown(name)}** `
    return `${label}\\[${formatClock(start_s)}\\] ${escapeMarkdown(text)}`
  }
  const parts = [`# ${escapeMarkdown(clip.title)}`]
  if (summary) parts.push(escapeMarkdown(summary))
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
  const document = { id, title, source_url, created_at, duration_s, language, speakers, topics: tree.topics, segments }
  return `${JSON.stringify(document, null, 2)}\n`
}
