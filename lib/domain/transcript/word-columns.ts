import type { WordSpan } from "./words.ts"

/** The words of a transcript as columns, which take about a third of the space of objects. */
export type WordColumns = {
  /** The unit of time: so many make a second. */
  per_second: number
  /** The words, separated by line feeds. */
  text: string
  /** The start of each word, counted from the start of the word before. */
  starts: number[]
  lengths: number[]
  /** The IDs of the speakers, each with the number of consecutive words. */
  speakers: [string, number][]
}

/** Units in which times are tried, from the coarsest: engines report hundredths or thousandths of a second. */
const UNITS_PER_SECOND = [100, 1000, 1_000_000]

const isExact = (seconds: number, unit: number): boolean => Math.round(seconds * unit) / unit === seconds

/** Returns words as columns without any loss, or null if their times or texts do not fit. */
export const toWordColumns = (words: readonly WordSpan[]): WordColumns | null => {
  const per_second = UNITS_PER_SECOND.find((unit) =>
    words.every(({ start, end }) => isExact(start, unit) && isExact(end, unit)),
  )
  if (per_second === undefined || words.some(({ word }) => word.includes("\n"))) return null
  const speakers: [string, number][] = []
  let before = 0
  const starts = words.map(({ start, speaker }) => {
    const run = speakers.at(-1)
    if (run?.[0] === speaker) run[1]++
    else speakers.push([speaker, 1])
    const at = Math.round(start * per_second)
    const delta = at - before
    before = at
    return delta
  })
  const lengths = words.map(({ start, end }) => Math.round(end * per_second) - Math.round(start * per_second))
  return { per_second, text: words.map(({ word }) => word).join("\n"), starts, lengths, speakers }
}

/** Returns the words that columns stand for. */
export const fromWordColumns = ({ per_second, text, starts, lengths, speakers }: WordColumns): WordSpan[] => {
  const texts = text.split("\n")
  const words: WordSpan[] = []
  let at = 0
  for (const [speaker, count] of speakers)
    for (const end = words.length + count; words.length < end; ) {
      const i = words.length
      at += starts[i]!
      words.push({ word: texts[i]!, start: at / per_second, end: (at + lengths[i]!) / per_second, speaker })
    }
  return words
}
