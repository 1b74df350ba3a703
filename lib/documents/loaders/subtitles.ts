import { decodeText } from "../decode.ts"
import type { Loader, Section } from "../types.ts"

const TIMES = /^\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s+-->\s+((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/

const seconds = (clock: string): number =>
  clock
    .replace(",", ".")
    .split(":")
    .reduce((sum, part) => sum * 60 + Number(part), 0)

/** Cue text without markup; the voice of WebVTT stands in front of what it says. */
const plain = (lines: readonly string[]): string =>
  lines
    .join(" ")
    .replace(/<v(?:\.[^\s>]*)?\s+([^>]*)>/g, "$1: ")
    .replace(/<[^>]{0,200}>|\{\\[^}]{0,200}\}/g, "")
    .replace(/&amp;/g, "&")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&nbsp;/g, " ")
    .replace(/\s+/g, " ")
    .trim()

/** SubRip and WebVTT: a section a cue, with its times. Notes and styles have no times and so are left out. */
export const loadSubtitles: Loader = (bytes) => {
  const sections: Section[] = []
  for (const block of decodeText(bytes).split(/\n[ \t]*\n/)) {
    const lines = block.split("\n")
    const at = lines.findIndex((l) => TIMES.test(l))
    if (at < 0) continue
    const [, start, end] = TIMES.exec(lines[at]!)!
    const text = plain(lines.slice(at + 1))
    if (text) sections.push({ text, start_s: seconds(start!), end_s: seconds(end!), lines: true })
  }
  return { sections }
}
