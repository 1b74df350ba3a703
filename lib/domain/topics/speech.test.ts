import { describe, expect, it } from "vitest"
import { listContentWords } from "../text/content-words.ts"
import { hashTerms } from "../text/terms.ts"
import { describeSpeech } from "./speech.ts"

/** One word per second. */
const wordsOf = (text: string, speakerOf: (i: number) => string = () => "0") =>
  text.split(" ").map((word, i) => ({ word, start: i, end: i + 0.9, speaker: speakerOf(i) }))
const topic = (start_s: number, end_s: number, title = "") => ({
  title,
  summary: "",
  start_s,
  duration_s: end_s - start_s,
})
const hashOf = (word: string) => hashTerms(listContentWords([{ text: word, turn: 0 }])).words[0]!
const countOf = ({ terms }: { terms: { hashes: Uint32Array; counts: Uint16Array } }, word: string) =>
  terms.counts[terms.hashes.indexOf(hashOf(word))] ?? 0

describe("describeSpeech", () => {
  it("counts the words that begin in a topic", () => {
    const words = wordsOf("honey bees dance honey tides comets")
    const [first, second] = describeSpeech(words, [topic(0, 4), topic(4, 6)])
    expect(["honey", "bees", "dance", "tides", "comets"].map((word) => countOf(first!, word))).toEqual([2, 1, 1, 0, 0])
    expect(["honey", "tides", "comets"].map((word) => countOf(second!, word))).toEqual([0, 1, 1])
    expect(describeSpeech(words, [topic(0.5, 4)]).map((speech) => countOf(speech, "honey"))).toEqual([1])
  })

  it("has the same hash for the same words, wherever they are said", () => {
    const words = wordsOf("honey bees honey bees honey tides")
    const [a, b, c] = describeSpeech(words, [topic(0, 2), topic(2, 4), topic(4, 6)])
    expect(a!.hash).toBe(b!.hash)
    expect(a!.hash).not.toBe(c!.hash)
  })

  it("lists repeated phrases, which no speaker change interrupts", () => {
    const text = "garden soil garden soil garden soil"
    const phrasesOf = (speakerOf?: (i: number) => string) =>
      describeSpeech(wordsOf(text, speakerOf), [topic(0, 6)])[0]!.phrases.map(({ form }) => form)
    expect(phrasesOf()).toContain("garden soil")
    const inTurns = phrasesOf((i) => String(i % 2))
    expect(inTurns).not.toContain("garden soil")
    expect(inTurns).toContain("garden")
  })

  it("describes a topic without words by its title and summary", () => {
    const written = { ...topic(10, 20, "Honey bees"), summary: "Tides." }
    const [speech, other, none] = describeSpeech(wordsOf("comets"), [written, { ...written, summary: "" }, topic(7, 9)])
    expect(["honey", "tides", "comets"].map((word) => countOf(speech!, word))).toEqual([1, 1, 0])
    expect(speech!.hash).not.toBe(other!.hash)
    expect(none!.terms.hashes).toHaveLength(0)
    expect(speech!.phrases.map(({ form }) => form)).toContain("honey bees")
  })
})
