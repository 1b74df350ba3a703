import type { ChunkMetadata } from "../domain/documents.ts"
import { chunkContext } from "../domain/documents.ts"
import { sentenceEnds } from "../domain/text/sentences.ts"
import type { Extracted, Section } from "./types.ts"

export type SplitOptions = {
  /** Most characters of a chunk. */
  readonly chunkSize: number
  /** Most characters that a chunk repeats of the one before it. */
  readonly chunkOverlap: number
}
export type Split = {
  readonly text: string
  /** Title and heading, as far as they do not stand in the text. */
  readonly context: string
  readonly metadata: Omit<ChunkMetadata, "source">
}

/** A part of a run's text that is not cut: `from` to `to`, of one section. */
type Piece = { readonly from: number; readonly to: number; readonly section: Section }

/** A chunk shorter than this share of the limit goes on over a heading. */
const SMALL = 0.25

const lineEnds = (text: string): number[] => {
  const ends = [...text.matchAll(/\n+/g)].map((m) => m.index + m[0].length).filter((end) => end < text.length)
  return [...ends, text.length]
}

/** Cuts what is too long at white space, else anywhere but inside a surrogate pair. */
const shorten = (text: string, from: number, to: number, limit: number): number[] => {
  const ends: number[] = []
  while (to - from > limit) {
    const space = text.slice(from + (limit >> 1), from + limit).search(/\s\S*$/)
    let end = space < 0 ? from + limit : from + (limit >> 1) + space + 1
    if (/[\udc00-\udfff]/.test(text[end] ?? "")) end--
    ends.push(end)
    from = end
  }
  return [...ends, to]
}

const piecesOf = (text: string, offset: number, section: Section, limit: number): Piece[] => {
  const pieces: Piece[] = []
  let from = 0
  for (const end of section.lines ? lineEnds(text) : sentenceEnds(text))
    for (const to of shorten(text, from, end, limit)) {
      if (text.slice(from, to).trim()) pieces.push({ from: offset + from, to: offset + to, section })
      from = to
    }
  return pieces
}

/** Sections whose chunks may run on into each other: those of one page, in order. */
const runsOf = (sections: readonly Section[]): Section[][] => {
  const runs: Section[][] = []
  for (const section of sections) {
    const last = runs.at(-1)
    if (last && last[0]!.page === section.page) last.push(section)
    else runs.push([section])
  }
  return runs
}

const metadataOf = (title: string | undefined, pieces: readonly Piece[]): Split["metadata"] => {
  const { heading, page, start_s } = pieces[0]!.section
  const end_s = pieces.at(-1)!.section.end_s
  return {
    ...(title === undefined ? {} : { title }),
    ...(heading === undefined ? {} : { heading }),
    ...(page === undefined ? {} : { page }),
    ...(start_s === undefined ? {} : { start_s }),
    ...(end_s === undefined ? {} : { end_s }),
  }
}

const splitRun = (
  run: readonly Section[],
  title: string | undefined,
  { chunkSize, chunkOverlap }: SplitOptions,
): Split[] => {
  let whole = ""
  const pieces: Piece[] = []
  for (const section of run) {
    if (whole) whole += section.lines ? "\n" : "\n\n"
    for (const piece of piecesOf(section.text, whole.length, section, chunkSize)) pieces.push(piece)
    whole += section.text
  }
  const lengthOf = (from: number, to: number) => whole.slice(pieces[from]!.from, pieces[to]!.to).trim().length
  const chunks: Split[] = []
  for (let first = 0; first < pieces.length; ) {
    let last = first
    while (last + 1 < pieces.length && lengthOf(first, last + 1) <= chunkSize) {
      const turns = pieces[last + 1]!.section.heading !== pieces[last]!.section.heading
      if (turns && lengthOf(first, last) > chunkSize * SMALL) break
      last++
    }
    const text = whole.slice(pieces[first]!.from, pieces[last]!.to).trim()
    const metadata = metadataOf(title, pieces.slice(first, last + 1))
    chunks.push({ text, context: chunkContext(metadata), metadata })
    // The next one repeats whole sentences of the same section, as long as its first new one fits beside them.
    let next = last + 1
    const repeats = (from: number) =>
      from > first &&
      pieces[from]!.section.heading === pieces[last + 1]?.section.heading &&
      lengthOf(from, last) <= chunkOverlap &&
      lengthOf(from, last + 1) <= chunkSize
    while (next <= last + 1 && last + 1 < pieces.length && repeats(next - 1)) next--
    first = next
  }
  return chunks
}

/**
 * Splits a document into chunks of at most `chunkSize` characters that begin and end with sentences (lines, in tables and
 * subtitles), keep to one page, and part at headings. Each repeats up to `chunkOverlap` characters of the one before it.
 */
export const split = ({ title, sections }: Extracted, options: SplitOptions): Split[] =>
  runsOf(sections).flatMap((run) => splitRun(run, title, options))
