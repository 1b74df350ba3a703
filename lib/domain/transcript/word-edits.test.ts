import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { applyWordEdits } from "./apply-word-edits.ts"
import { readTranscript } from "./given/read-transcript.ts"
import { type WordEdit, wordEdit } from "./word-edits.ts"
import type { WordSpan } from "./words.ts"

const wordsOf = (text: string, speaker = "0"): WordSpan[] =>
  text.split(" ").map((word, i) => ({ word, start: i, end: i + 0.8, speaker }))
const textOf = (words: readonly WordSpan[]) => words.map((w) => w.word).join(" ")

describe("applyWordEdits", () => {
  it("replaces words one to one and keeps their times", () => {
    const [first, , third] = applyWordEdits(wordsOf("the bees dunce well"), [
      { kind: "text", start_s: 2, end_s: 2.8, words: ["dance"] },
    ])
    expect([first!.word, third]).toEqual(["the", { word: "dance", start: 2, end: 2.8, speaker: "0" }])
  })
  it("spreads the time by letters if the number of words changes", () => {
    const words = applyWordEdits(wordsOf("grey shopper wrote it"), [
      { kind: "text", start_s: 0, end_s: 1.8, words: ["Grace", "Brewster", "Hopper"] },
    ])
    expect(textOf(words)).toBe("Grace Brewster Hopper wrote it")
    expect(words.slice(0, 3).map((w) => w.start)).toEqual([0, (1.8 * 5) / 19, (1.8 * 13) / 19])
    expect(words[2]!.end).toBeCloseTo(1.8)
  })
  it("deletes words, assigns words to a speaker and merges two speakers", () => {
    const words = [...wordsOf("uh hello there"), ...wordsOf("yes", "1").map((w) => ({ ...w, start: 5, end: 6 }))]
    const edits: WordEdit[] = [
      { kind: "text", start_s: 0, end_s: 0.8, words: [] },
      { kind: "speaker", start_s: 1, end_s: 1.8, speaker: "2" },
      { kind: "merge", from: "1", into: "0" },
    ]
    expect(applyWordEdits(words, edits).map((w) => [w.word, w.speaker])).toEqual([
      ["hello", "2"],
      ["there", "0"],
      ["yes", "0"],
    ])
  })
  it("leaves words of another speaker at the same time unchanged", () => {
    const words: WordSpan[] = [
      { word: "cash", start: 0, end: 2, speaker: "0" },
      { word: "mhm", start: 0.5, end: 1.5, speaker: "1" },
    ]
    const [a, b] = applyWordEdits(words, [{ kind: "text", start_s: 0, end_s: 2, of: "0", words: ["cache"] }])
    expect([a!.word, b!.word]).toEqual(["cache", "mhm"])
  })
  it("applies to words with slightly different times", () => {
    const retranscribed = wordsOf("the bees dunce well").map((w) => ({ ...w, start: w.start + 0.07, end: w.end + 0.1 }))
    expect(textOf(applyWordEdits(retranscribed, [{ kind: "text", start_s: 2, end_s: 2.8, words: ["dance"] }]))).toBe(
      "the bees dance well",
    )
  })

  it("keeps the place of a word without length, and of words that replace it", () => {
    const words: WordSpan[] = [
      { word: "a", start: 0, end: 1, speaker: "0" },
      { word: "b", start: 1, end: 1, speaker: "0" },
      { word: "c", start: 1, end: 2, speaker: "0" },
    ]
    const span = { start_s: 1, end_s: 1 }
    expect(textOf(applyWordEdits(words, [{ kind: "text", ...span, words: ["B"] }]))).toBe("a B c")
    expect(textOf(applyWordEdits(words, [{ kind: "text", ...span, words: ["B", "D"] }]))).toBe("a B D c")
  })
  it("corrects a word that another correction moved far from its original neighbors", () => {
    const words: WordSpan[] = [
      { word: "long", start: 0, end: 20, speaker: "0" },
      { word: "longer", start: 0, end: 400, speaker: "0" },
      { word: "end", start: 500, end: 501, speaker: "0" },
    ]
    const edits: WordEdit[] = [
      { kind: "text", start_s: 10, end_s: 200, words: Array.from({ length: 20 }, () => "b") },
      { kind: "text", start_s: 330, end_s: 330, words: ["C"] },
    ]
    expect(textOf(applyWordEdits(words, edits))).toBe(`${"b ".repeat(16)}C b b b end`)
  })
  it("assigns words to a name that was merged away before", () => {
    const edits: WordEdit[] = [
      { kind: "merge", from: "0", into: "1" },
      { kind: "speaker", start_s: 1, end_s: 1.8, speaker: "0" },
      { kind: "merge", from: "1", into: "2" },
      { kind: "merge", from: "2", into: "1" },
    ]
    expect(applyWordEdits(wordsOf("a b c"), edits).map((w) => w.speaker)).toEqual(["1", "0", "1"])
  })
  it("applies thousands of edits to a long transcript within seconds", () => {
    const words = wordsOf(Array.from({ length: 60_000 }, () => "word").join(" "))
    const edits = Array.from({ length: 3200 }, (_, i): WordEdit => {
      const start_s = (i * 18) % 59_000
      return { kind: "text", start_s, end_s: start_s + 1.8, words: ["one", "two", "three"] }
    })
    const from = performance.now()
    const after = applyWordEdits(words, edits)
    expect(performance.now() - from).toBeLessThan(5000)
    expect(after).toHaveLength(60_000 + 3200)
  })

  const word = fc.record({
    word: fc.stringMatching(/^[a-z]{1,8}$/),
    start: fc.integer({ min: 0, max: 400 }).map((n) => n / 4),
    length: fc.integer({ min: 0, max: 12 }).map((n) => n / 4),
    speaker: fc.constantFrom("0", "1", "2"),
  })
  const words = fc
    .array(word, { maxLength: 40 })
    .map((list) => list.map(({ length, ...w }) => ({ ...w, end: w.start + length })).sort((a, b) => a.start - b.start))
  const at = fc.integer({ min: 0, max: 420 }).map((n) => n / 4)
  const span = fc.tuple(at, at).map(([a, b]) => ({ start_s: Math.min(a, b), end_s: Math.max(a, b) }))
  const edit: fc.Arbitrary<WordEdit> = fc.oneof(
    fc
      .tuple(span, fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 5 }))
      .map(([s, list]): WordEdit => ({ kind: "text", ...s, words: list })),
    fc.tuple(span, fc.constantFrom("0", "9")).map(([s, speaker]): WordEdit => ({ kind: "speaker", ...s, speaker })),
    fc.constant<WordEdit>({ kind: "merge", from: "1", into: "0" }),
  )
  it("always returns a valid transcript", () => {
    fc.assert(
      fc.property(words, fc.array(edit, { maxLength: 6 }), (original, edits) => {
        const after = applyWordEdits(original, edits)
        expect(readTranscript(after).words).toEqual(after)
        expect(applyWordEdits(original, [])).toEqual(original)
      }),
    )
  })
  /** Applies edits one by one to a flat list, in quadratic time. */
  const applyToList = (original: readonly WordSpan[], edits: readonly WordEdit[]): WordSpan[] => {
    let list = [...original]
    for (const edit of edits) {
      if (edit.kind === "merge") {
        list = list.map((w) => (w.speaker === edit.from ? { ...w, speaker: edit.into } : w))
        continue
      }
      const inSpan = (w: WordSpan) => {
        const middle = (w.start + w.end) / 2
        return w.start >= edit.start_s - 30 && middle >= edit.start_s && middle <= edit.end_s
      }
      const own = list.filter((w) => inSpan(w) && w.speaker === edit.of)
      const found = own.length > 0 ? own : list.filter(inSpan)
      if (edit.kind === "speaker") list = list.map((w) => (found.includes(w) ? { ...w, speaker: edit.speaker } : w))
      else if (found.length > 0) {
        const at = list.indexOf(found[0]!)
        const fresh = applyWordEdits(found, [{ kind: "text", start_s: 0, end_s: 1000, words: edit.words }])
        if (fresh.length === found.length) {
          list = list.map((w) => fresh[found.indexOf(w)] ?? w)
          continue
        }
        const before = list.slice(0, at)
        const after = list.slice(at).filter((w) => !found.includes(w))
        const same = fresh.findIndex((w) => w.start > fresh[0]!.start)
        const first = same < 0 ? fresh : fresh.slice(0, same)
        list = [...before, ...first, ...after]
        for (const w of fresh.slice(first.length)) {
          const later = list.findIndex((other) => other.start > w.start)
          list.splice(later < 0 ? list.length : later, 0, w)
        }
      }
    }
    return list
  }
  it("gives the same words as applying one edit after the other to a flat list", () => {
    fc.assert(
      fc.property(words, fc.array(edit, { maxLength: 8 }), (original, edits) => {
        expect(applyWordEdits(original, edits)).toEqual(applyToList(original, edits))
      }),
      { numRuns: 300 },
    )
  })
  it("rejects an edit that ends before it starts", () => {
    expect(wordEdit.safeParse({ kind: "speaker", start_s: 2, end_s: 1, speaker: "0" }).success).toBe(false)
  })
})
