import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { oneLine } from "../domain/export/clip-text.ts"
import { escapeMarkdown } from "../domain/export/escape-markdown.ts"
import { formatContentDisposition, safeFileName } from "../domain/export/file-name.ts"
import { cleanSentence } from "../domain/text/clean-sentence.ts"
import { isFiller } from "../domain/text/fillers.ts"
import { extractNumbers } from "../domain/text/numbers.ts"
import { scoreReadability } from "../domain/text/readability.ts"
import { splitSentences, splitStatements } from "../domain/text/sentences.ts"
import { detectStopWords } from "../domain/text/stop-words.ts"
import { countTerms } from "../domain/text/terms.ts"
import { normalizeWord, splitWords } from "../domain/text/tokens.ts"
import { classifyWord } from "../domain/text/word-classes.ts"
import { packageRoot } from "../platform/package-root.ts"
import { decodeXml } from "../sources/decode-xml.ts"
import { parseFeed } from "../sources/feed.ts"
import { createContentBuilder } from "./content/content-builder.ts"
import { readHtmlContent } from "./content/html-content.ts"
import { placeChunks } from "./content/place-chunks.ts"
import { readMarkdownContent } from "./content/read-content.ts"
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
/** The shortest of the three lengths. EARMARK_TEST_GROWTH_CHARACTERS=8000 tests longer texts, for minutes. */
const CHARACTERS = Number(process.env.EARMARK_TEST_GROWTH_CHARACTERS ?? 1000)
/** Linear code takes a millisecond at most, so that only suspicious texts are measured at several lengths. */
const SUSPICIOUS_MS = 2 + CHARACTERS / 1000
/** For all attacks on one target. They take less than a second of processor time on short texts. */
const TIMEOUT_MS = 20_000 * Math.max(1, CHARACTERS / 1000)
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
  "content of HTML": (text) => readHtmlContent(text, createContentBuilder()),
  "content of Markdown": (text) => readMarkdownContent(text, createContentBuilder()),
  "places of chunks": (text) => placeChunks([{ block: { type: "paragraph", runs: [] }, indexed: text }], [text], 0),
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

/** Returns the shortest of several times, but stops as soon as one is short enough. */
const measureFastest = (run: (text: string) => unknown, text: string, enoughMs = 0): number => {
  let fastest = Infinity
  for (let i = 0; i < 4 && fastest > enoughMs; i++) fastest = Math.min(fastest, measure(run, text))
  return fastest
}

/** Returns the growth of the time from n to 4n, or null if an attack takes little or clearly linear time. */
const findGrowth = (run: (text: string) => unknown, attack: Attack): number | null => {
  const [short, middle, long] = [1, 2, 4].map((factor) => buildAttack(attack, factor * CHARACTERS))
  const longMs = measureFastest(run, long!, SUSPICIOUS_MS)
  if (longMs <= SUSPICIOUS_MS) return null
  const shortMs = measureFastest(run, short!)
  // A small part of the time is constant, and a machine has caches: both steps have to grow.
  const isLinear = longMs <= MAX_GROWTH * shortMs || measureFastest(run, middle!) <= 2.5 * shortMs
  return isLinear ? null : longMs / shortMs
}

const patterns = listPatterns(packageRoot(), FOLDERS)
const attacks = [...new Map(patterns.flatMap(listAttacks).map((attack) => [buildAttack(attack, 100), attack])).values()]

/** Returns a line for each attack with superlinear time. Ends at an attack that does not end, such as an exponential one. */
const listSlow = (run: (text: string) => unknown, tried: readonly Attack[]): string[] => {
  const slow: string[] = []
  let current = ""
  const tryAll = (): void => {
    for (const attack of tried) {
      current = JSON.stringify(attack)
      const growth = findGrowth(run, attack)
      if (growth !== null) slow.push(`${growth.toFixed(1)}: ${current}`)
    }
  }
  try {
    // A timer cannot interrupt a regular expression, but a script with a timeout can.
    runInNewContext("tryAll()", { tryAll }, { timeout: TIMEOUT_MS })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error
    slow.push(`endless: ${current}`)
  }
  return slow
}

describe("the time for a text grows linearly with its length, for attacks on every pattern of the source,", () => {
  it("and attacks are found in every folder with patterns", () => {
    expect(patterns.length).toBeGreaterThan(80)
    expect(attacks.length).toBeGreaterThan(100)
  })
  it("which finds a pattern with quadratic time", () => {
    const attack = { prefix: "", pump: " ", from: "" }
    expect(listSlow((text) => /\s+$/.test(text), [attack])).toEqual([expect.stringMatching(/^\d+\./)])
  })
  for (const [name, run] of Object.entries(TARGETS))
    it(`in ${name}`, { timeout: 2 * TIMEOUT_MS }, () => {
      measure(run, "Warm up. ".repeat(200))
      expect(listSlow(run, attacks)).toEqual([])
    })
  it("in every pattern itself", { timeout: 2 * TIMEOUT_MS }, () => {
    const slow = patterns.flatMap((source) => {
      const pattern = new RegExp(source.pattern, source.flags)
      return listSlow((text) => text.replace(pattern, ""), listAttacks(source))
    })
    expect(slow).toEqual([])
  })
})
