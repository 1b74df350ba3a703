import { describe, expect, it } from "vitest"
import { oneLine } from "../domain/export/clip-text.ts"
import { formatContentDisposition, safeFileName } from "../domain/export/file-name.ts"
import { escapeMarkdown } from "../domain/export/transcripts.ts"
import { cleanSentence } from "../domain/text/clean-sentence.ts"
import { extractNumbers } from "../domain/text/numbers.ts"
import { scoreReadability } from "../domain/text/readability.ts"
import { splitSentences, splitStatements } from "../domain/text/sentences.ts"
import { detectStopWords, isFiller } from "../domain/text/stop-words.ts"
import { countTerms } from "../domain/text/terms.ts"
import { normalizeWord, splitWords } from "../domain/text/tokens.ts"
import { classifyWord } from "../domain/text/word-classes.ts"
import { packageRoot } from "../platform/package-root.ts"
import { decodeXml } from "../sources/decode-xml.ts"
import { parseFeed } from "../sources/feed.ts"
import { loadCsv } from "./loaders/csv.ts"
import { loadHtml } from "./loaders/html.ts"
import { loadJson } from "./loaders/json.ts"
import { loadMarkdown } from "./loaders/markdown.ts"
import { loadSubtitles } from "./loaders/subtitles.ts"
import { loadText } from "./loaders/text.ts"
import { splitDocument } from "./split.ts"
import { type Attack, buildAttack, listAttacks, listPatterns } from "./testing/attack-strings.ts"
import type { Extracted, Loader } from "./types.ts"

const FOLDERS = ["lib/documents", "lib/domain/text", "lib/domain/export", "lib/sources", "lib/api"]
/** EARMARK_TEST_GROWTH_CHARACTERS=32000 tests longer texts, for minutes. */
const CHARACTERS = Number(process.env.EARMARK_TEST_GROWTH_CHARACTERS ?? 2000)
/** Linear code takes a few milliseconds at most, so that only suspicious texts are measured at several lengths. */
const SUSPICIOUS_MS = 4 + CHARACTERS / 1000
/** From n to 4n, linear time grows by 4 and quadratic time by 16. */
const MAX_GROWTH = 9

const load = (loader: Loader, extension: string) => (text: string) => {
  const extracted = loader(Buffer.from(text), { extension }) as Extracted
  return [...splitDocument(extracted, { chunkSize: 1000, chunkOverlap: 200 })]
}

const TARGETS: Readonly<Record<string, (text: string) => unknown>> = {
  text: load(loadText, ".txt"),
  Markdown: load(loadMarkdown, ".md"),
  HTML: load(loadHtml, ".html"),
  "preformatted HTML": (text) => load(loadHtml, ".html")(`<pre>${text}`),
  CSV: load(loadCsv, ".csv"),
  JSON: (text) => load(loadJson, ".json")(JSON.stringify([text])),
  "JSON keys": (text) => load(loadJson, ".json")(JSON.stringify({ [text]: [{ a: 1 }] })),
  subtitles: (text) => load(loadSubtitles, ".vtt")(`00:01.000 --> 00:02.000\n${text}`),
  "subtitle times": load(loadSubtitles, ".vtt"),
  splitSentences,
  splitStatements,
  cleanSentence: (text) => cleanSentence(text.split(" ")),
  "cleanSentence of one word": (text) => cleanSentence([text]),
  splitWords,
  normalizeWord,
  isFiller,
  classifyWord,
  extractNumbers,
  scoreReadability,
  detectStopWords: (text) => detectStopWords(text.split(" ")),
  countTerms: (text) => countTerms([text]),
  safeFileName,
  formatContentDisposition,
  escapeMarkdown,
  oneLine,
  parseFeed: (text) => parseFeed(`<rss><channel><title>${text}`, "https://example.org"),
  decodeXml: (text) => decodeXml(Buffer.from(text), text),
}

/** Returns milliseconds of processor time, which a busy machine does not stretch. */
const measure = (run: (text: string) => unknown, text: string): number => {
  const start = process.cpuUsage()
  try {
    run(text)
  } catch {
    // A refused text has taken its time, too.
  }
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Returns the growth of the time from n to 4n, or null if an attack takes little time. */
const findGrowth = (run: (text: string) => unknown, attack: Attack): number | null => {
  const text = buildAttack(attack, 4 * CHARACTERS)
  if (measure(run, text) < SUSPICIOUS_MS || measure(run, text) < SUSPICIOUS_MS) return null
  const fastest = (characters: number) => {
    const attackText = buildAttack(attack, characters)
    return Math.min(...Array.from({ length: 5 }, () => measure(run, attackText)))
  }
  const [short, middle, long] = [fastest(CHARACTERS), fastest(2 * CHARACTERS), fastest(4 * CHARACTERS)]
  // A small part of the time is constant, and a machine has caches: both steps have to grow.
  return long > SUSPICIOUS_MS && middle > 2.5 * short ? long / short : null
}

const patterns = listPatterns(packageRoot(), FOLDERS)
const attacks = [
  ...new Map(patterns.flatMap(listAttacks).map((attack) => [`${attack.prefix}\u0000${attack.pump}`, attack])).values(),
]

describe("the time for a text grows linearly with its length, for attacks on every pattern of the source,", () => {
  it("and attacks are found in every folder with patterns", () => {
    expect(patterns.length).toBeGreaterThan(80)
    expect(attacks.length).toBeGreaterThan(100)
    expect(findGrowth((text) => /\s+$/.test(text), { prefix: "", pump: " ", from: "" })).toBeGreaterThan(MAX_GROWTH)
  })
  for (const [name, run] of Object.entries(TARGETS))
    it(`in ${name}`, () => {
      measure(run, "Warm up. ".repeat(200))
      const slow = attacks.flatMap((attack) => {
        const growth = findGrowth(run, attack)
        return growth !== null && growth > MAX_GROWTH ? [`${growth.toFixed(1)}: ${JSON.stringify(attack)}`] : []
      })
      expect(slow).toEqual([])
    })
  it("in every pattern itself", () => {
    const slow = patterns.flatMap((source) => {
      const pattern = new RegExp(source.pattern, source.flags)
      const test = (text: string) => text.replace(pattern, "")
      return listAttacks(source).flatMap((attack) => {
        const growth = findGrowth(test, attack)
        return growth !== null && growth > MAX_GROWTH ? [`${growth.toFixed(1)}: ${JSON.stringify(attack)}`] : []
      })
    })
    expect(slow).toEqual([])
  })
})
