import { type ChunkMetadata, chunkContext } from "../domain/documents.ts"
import { findSentenceEnds } from "../domain/text/sentences.ts"
import type { Extracted, Section } from "./types.ts"

export type SplitOptions = {
  /** The maximum number of characters in a chunk. */
  readonly chunkSize: number
  /** The maximum number of characters that a chunk repeats from the previous one. */
  readonly chunkOverlap: number
}
export type ChunkDraft = {
  readonly text: string
  /** The title and heading, unless the text contains them. */
  readonly context: string
  readonly metadata: Omit<ChunkMetadata, "source">
}

/** A chunk that may have its vector already. */
export type ParsedChunk = ChunkDraft & { readonly vector?: Float32Array }

/** Returns what is embedded of a chunk: its text after the title and heading that the text does not contain. */
export const chunkEmbeddingText = ({ text, context }: ChunkDraft): string => {
  const missing = context.split("\n").filter((part) => part && !text.includes(part))
  return [...missing, text].join("\n")
}

/** An indivisible unit of text (a sentence or line): characters `from` to `to` of a page, from one section. */
type Unit = { readonly from: number; readonly to: number; readonly section: Section }

/** A chunk may continue past a heading if it is shorter than this share of the limit. */
const MIN_FILL = 0.25

const findLineEnds = (text: string): number[] => {
  const ends = [...text.matchAll(/\n+/g)].map((m) => m.index + m[0].length).filter((end) => end < text.length)
  return [...ends, text.length]
}

/** Returns the index of the last white space, or -1. */
export const findLastSpace = (text: string): number => {
  let at = text.length - 1
  while (at >= 0 && text[at]!.trim() !== "") at--
  return at
}

/** Divides a unit that is too long at white space, otherwise anywhere except inside a surrogate pair. Returns the ends. */
const divideUnit = (text: string, from: number, to: number, maxChars: number): number[] => {
  const ends: number[] = []
  while (to - from > maxChars) {
    const space = findLastSpace(text.slice(from + (maxChars >> 1), from + maxChars))
    let end = space < 0 ? from + maxChars : from + (maxChars >> 1) + space + 1
    if (/[\udc00-\udfff]/.test(text[end] ?? "")) end--
    ends.push(end)
    from = end
  }
  return [...ends, to]
}

const toUnits = (text: string, offset: number, section: Section, maxChars: number): Unit[] => {
  const units: Unit[] = []
  let from = 0
  for (const end of section.lines ? findLineEnds(text) : findSentenceEnds(text))
    for (const to of divideUnit(text, from, end, maxChars)) {
      if (text.slice(from, to).trim()) units.push({ from: offset + from, to: offset + to, section })
      from = to
    }
  return units
}

/** Groups consecutive sections of the same page. A chunk may span the sections of a group. */
const groupByPage = (sections: readonly Section[]): Section[][] => {
  const pages: Section[][] = []
  for (const section of sections) {
    const last = pages.at(-1)
    if (last && last[0]!.page === section.page) last.push(section)
    else pages.push([section])
  }
  return pages
}

const toMetadata = (title: string | undefined, units: readonly Unit[]): ChunkDraft["metadata"] => {
  const { heading, page, start_s } = units[0]!.section
  const end_s = units.at(-1)!.section.end_s
  return {
    ...(title === undefined ? {} : { title }),
    ...(heading === undefined ? {} : { heading }),
    ...(page === undefined ? {} : { page }),
    ...(start_s === undefined ? {} : { start_s }),
    ...(end_s === undefined ? {} : { end_s }),
  }
}

function* splitPage(
  sections: readonly Section[],
  title: string | undefined,
  { chunkSize, chunkOverlap }: SplitOptions,
): Generator<ChunkDraft> {
  let pageText = ""
  const units: Unit[] = []
  for (const section of sections) {
    if (pageText) pageText += section.lines ? "\n" : "\n\n"
    for (const unit of toUnits(section.text, pageText.length, section, chunkSize)) units.push(unit)
    pageText += section.text
  }
  const lengthOf = (from: number, to: number) => pageText.slice(units[from]!.from, units[to]!.to).trim().length
  for (let first = 0; first < units.length; ) {
    let last = first
    while (last + 1 < units.length && lengthOf(first, last + 1) <= chunkSize) {
      const isNewHeading = units[last + 1]!.section.heading !== units[last]!.section.heading
      if (isNewHeading && lengthOf(first, last) > chunkSize * MIN_FILL) break
      last++
    }
    const text = pageText.slice(units[first]!.from, units[last]!.to).trim()
    const metadata = toMetadata(title, units.slice(first, last + 1))
    yield { text, context: chunkContext(metadata), metadata }
    // The next chunk repeats whole units under the same heading, if its first new unit still fits.
    let next = last + 1
    const canRepeat = (from: number) =>
      from > first &&
      units[from]!.section.heading === units[last + 1]?.section.heading &&
      lengthOf(from, last) <= chunkOverlap &&
      lengthOf(from, last + 1) <= chunkSize
    while (next <= last + 1 && last + 1 < units.length && canRepeat(next - 1)) next--
    first = next
  }
}

/**
 * Yields the chunks of a document, of at most `chunkSize` characters each. A chunk consists of whole sentences (whole lines in tables
 * and subtitles) of one page, and begins at each heading. It repeats up to `chunkOverlap` characters of the previous chunk.
 */
export function* splitDocument({ title, sections }: Extracted, options: SplitOptions): Generator<ChunkDraft> {
  for (const page of groupByPage(sections)) yield* splitPage(page, title, options)
}
