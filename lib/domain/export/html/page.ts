import { escapeHtml } from "../../text/escape-html.ts"
import { formatClock } from "../../text/format-clock.ts"
import { type AddedSection, listAdditions } from "../additions.ts"
import { type ExportableClip, oneLine } from "../clip-text.ts"
import { listSections, type Section } from "../sections.ts"
import type { SpeakerTurn } from "../speaker-turns.ts"
import { PAGE_SCRIPT } from "./script.ts"
import { PAGE_STYLE } from "./style.ts"

/** Audio that a page plays: from an address, or from data that follows the page as `PageParts`. */
export type PageAudio =
  | { readonly kind: "address"; readonly url: string }
  | { readonly kind: "embedded"; readonly type: string }

export type PageOptions = {
  /** Null for a page without a player. */
  readonly audio: PageAudio | null
  /** The nonce of inline scripts, if the page is served under a content security policy. */
  readonly nonce?: string
}

/** A page in two parts. The data of embedded audio, base64 in lines, belongs between them. */
export type PageParts = readonly [head: string, tail: string]

const text = (value: string): string => escapeHtml(oneLine(value))

const time = (seconds: number): string => `<time>${formatClock(seconds)}</time>`

const seekButton = (start_s: number, hasAudio: boolean): string =>
  hasAudio
    ? `<button class="at" type="button" data-seek="${start_s}" aria-label="Play from ${formatClock(start_s)}">${time(start_s)}</button>`
    : time(start_s)

const toTurn = ({ name, start_s, text: spoken }: SpeakerTurn, hasAudio: boolean): string =>
  `<div class="turn" data-start="${start_s}"><div class="who">${name === null ? "" : `<span>${text(name)}</span>`}${seekButton(start_s, hasAudio)}</div><p>${escapeHtml(spoken)}</p></div>`

const toSection = ({ node, depth, turns }: Section, i: number, hasAudio: boolean): string => {
  const heading = depth === 1 ? "h2" : "h3"
  return [
    `<section id="topic-${i + 1}">`,
    `<${heading}>${text(node.title)}</${heading}>`,
    node.summary && `<p class="summary">${text(node.summary)}</p>`,
    ...turns.map((turn) => toTurn(turn, hasAudio)),
    "</section>",
  ]
    .filter(Boolean)
    .join("\n")
}

const toAddition = ({ title, depth, origin, lines }: AddedSection, hasAudio: boolean): string =>
  [
    "<section>",
    depth === 1 ? `<h2>${text(title)}</h2>` : `<h3>${text(title)}</h3>`,
    origin && `<p class="summary">${text(origin)}</p>`,
    ...lines.map(({ text: line, detail, start_s }) => {
      const at = start_s === null ? "" : `<div class="who">${seekButton(start_s, hasAudio)}</div>`
      return `<div class="added">${at}<p>${text(line)}</p>${detail === null ? "" : `<p class="summary">${text(detail)}</p>`}</div>`
    }),
    "</section>",
  ]
    .filter(Boolean)
    .join("\n")

const toOutline = (sections: readonly Section[]): string => {
  const link = ({ node }: Section, i: number): string =>
    `<a href="#topic-${i + 1}"><span>${text(node.title)}</span>${time(node.start_s)}</a>`
  const items: string[] = []
  sections.forEach((section, i) => {
    const isFirstChild = section.depth > 1 && sections[i - 1]?.depth === 1
    const isLastChild = section.depth > 1 && sections[i + 1]?.depth !== section.depth
    if (section.depth === 1) items.push(`${i === 0 ? "" : "</li>"}<li>${link(section, i)}`)
    else items.push(`${isFirstChild ? "<ol>" : ""}<li>${link(section, i)}</li>${isLastChild ? "</ol>" : ""}`)
  })
  return sections.length === 0 ? "" : `<nav aria-label="Topics"><ol>${items.join("\n")}</li></ol></nav>`
}

const toDate = (iso: string): string => new Date(iso).toLocaleDateString("en", { dateStyle: "long", timeZone: "UTC" })

const toPlayer = (audio: PageAudio | null): string => {
  if (audio === null) return ""
  const source = audio.kind === "address" ? ` src="${escapeHtml(audio.url)}"` : ""
  return `<div class="player"><audio controls preload="metadata" aria-label="Recording"${source}></audio></div>`
}

/**
 * Renders a recording as one HTML page without other files: title, summary, outline, and the transcript by topic. With audio, a
 * click on a time plays from it, and the paragraph that is spoken is marked.
 */
export const renderRecordingPage = (clip: ExportableClip, { audio, nonce }: PageOptions): PageParts => {
  const { summary, opening, sections } = listSections(clip)
  const hasAudio = audio !== null
  const title = text(clip.title) || "Untitled"
  const facts = [toDate(clip.published_at ?? clip.created_at), formatClock(clip.duration_s), clip.channel ?? ""]
  const hasOutline = sections.length > 0
  const head = `<!doctype html>
<html lang="${text(clip.language ?? "en").slice(0, 20)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${PAGE_STYLE}${hasOutline ? "" : ".page{grid-template-columns:minmax(0,42rem)}"}</style>
</head>
<body>
<div class="page">
<header>
<h1>${title}</h1>
<p class="meta">${facts.map(text).filter(Boolean).join(" · ")}</p>
${summary ? `<p class="lead">${text(summary)}</p>` : ""}
</header>
${toOutline(sections)}
<main>
${[...listAdditions(clip).map((section) => toAddition(section, hasAudio)), ...opening.map((turn) => toTurn(turn, hasAudio)), ...sections.map((section, i) => toSection(section, i, hasAudio))].join("\n")}
</main>
<footer>Made with Earmark</footer>
</div>
${toPlayer(audio)}
${audio?.kind === "embedded" ? `<script type="text/plain" id="audio-data" data-type="${escapeHtml(audio.type)}">` : ""}`
  const tail = `${audio?.kind === "embedded" ? "</script>\n" : ""}${
    hasAudio ? `<script${nonce ? ` nonce="${escapeHtml(nonce)}"` : ""}>${PAGE_SCRIPT}</script>\n` : ""
  }</body>
</html>
`
  return [head, tail]
}

/** Renders a recording as a page without audio. */
export const toHtml = (clip: ExportableClip): string => renderRecordingPage(clip, { audio: null }).join("")
