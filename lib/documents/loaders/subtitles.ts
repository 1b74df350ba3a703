import { createDocumentBuilder } from "../document-builder.ts"
import type { Loader } from "../types.ts"
import { decodeText } from "./text.ts"

const TIMES = /^\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s+-->\s+((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/

const parseSeconds = (clock: string): number =>
  clock
    .replace(",", ".")
    .split(":")
    .reduce((sum, part) => sum * 60 + Number(part), 0)

/** Removes the markup of a cue. Turns a WebVTT voice tag into a `Name: ` prefix. */
const removeMarkup = (lines: readonly string[]): string =>
  lines
    .join(" ")
    .replace(/<v(?:\.[^\s<>]{0,200})?\s([^<>]{0,200})>/g, "$1: ")
    .replace(/<[^<>]{0,200}>|\{\\[^{}]{0,200}\}/g, "")
    .replace(/&amp;/g, "&")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&nbsp;/g, " ")
    .replace(/\s+/g, " ")
    .trim()

/** Loads SubRip or WebVTT as one section per cue, with its times. Omits blocks without times, such as notes and styles. */
export const loadSubtitles: Loader = (bytes) => {
  const document = createDocumentBuilder()
  for (const block of decodeText(bytes).split(/\n[ \t]*\n/)) {
    const lines = block.split("\n")
    const at = lines.findIndex((l) => TIMES.test(l))
    if (at < 0) continue
    const [, start, end] = TIMES.exec(lines[at]!)!
    const text = removeMarkup(lines.slice(at + 1))
    document.add({ text, start_s: parseSeconds(start!), end_s: parseSeconds(end!), lines: true })
  }
  return document.build()
}
