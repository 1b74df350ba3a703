import type { ClipSummary, SummaryLine } from "../summaries.ts"
import { formatClock } from "../text/format-clock.ts"
import { escapeMarkdown } from "./escape-markdown.ts"

/** Says what made the lines of a summary, where readers must know it. Empty for chapters, which are the topics. */
export const describeOrigin = ({ provider, kind, model }: Pick<ClipSummary, "provider" | "kind" | "model">): string => {
  if (provider === null || kind === "chapters") return ""
  if (provider !== "builtin") return `Written by ${model ?? "a language model"}.`
  return kind === "minutes"
    ? "From the topics and their summaries; decisions and action items found by cue words, not by a model."
    : "Found by cue words, not by a model."
}

/** Lines of one section, in order. */
export type SummarySection = { readonly title: string | null; readonly lines: readonly SummaryLine[] }

/** Groups consecutive lines of the same section. */
export const groupLines = (lines: readonly SummaryLine[]): SummarySection[] => {
  const groups: { title: string | null; lines: SummaryLine[] }[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last && last.title === line.section) last.lines.push(line)
    else groups.push({ title: line.section, lines: [line] })
  }
  return groups
}

/** Returns who does a task and until when: "Ada, by Friday". Empty if neither is known. */
export const describeTask = ({ owner, due }: Pick<SummaryLine, "owner" | "due">): string =>
  [owner, due].filter((part) => part !== null).join(", ")

const toBullet = (line: SummaryLine, kind: ClipSummary["kind"]): string => {
  const time = `\\[${formatClock(line.start_s)}\\]`
  const task = describeTask(line)
  const box = kind === "action_items" ? "[ ] " : ""
  const text = `- ${box}${escapeMarkdown(line.text)}${task === "" ? "" : ` *(${escapeMarkdown(task)})*`} ${time}`
  return line.detail === null ? text : `${text}\n  ${escapeMarkdown(line.detail)}`
}

/** Writes a summary as Markdown, below a heading of a level from 1 to 4. */
export const toSummaryMarkdown = (summary: ClipSummary, level = 1): string => {
  const { name, kind, lines } = summary
  const heading = "#".repeat(level)
  const origin = describeOrigin(summary)
  const parts = [`${heading} ${escapeMarkdown(name)}`]
  if (origin !== "") parts.push(`*${escapeMarkdown(origin)}*`)
  if (lines.length === 0) parts.push("Nothing was found.")
  for (const { title, lines: own } of groupLines(lines)) {
    if (title !== null) parts.push(`${heading}# ${escapeMarkdown(title)}`)
    parts.push(own.map((line) => toBullet(line, kind)).join("\n"))
  }
  return `${parts.join("\n\n")}\n`
}

/** Writes a summary as plain text, to be pasted: chapters as show notes ("5:12 Title"), others as a list. */
export const toSummaryText = ({ kind, name, lines }: ClipSummary): string => {
  if (kind === "chapters") return `${lines.map(({ start_s, text }) => `${formatClock(start_s)} ${text}`).join("\n")}\n`
  const sections = groupLines(lines).map(({ title, lines: own }) => {
    const list = own.map((line) => {
      const task = describeTask(line)
      return `- ${line.text}${task === "" ? "" : ` (${task})`} [${formatClock(line.start_s)}]`
    })
    return [...(title === null ? [] : [title]), ...list].join("\n")
  })
  return `${[name, ...sections].join("\n\n")}\n`
}
