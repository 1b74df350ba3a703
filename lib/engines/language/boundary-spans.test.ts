import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { parseBoundaries, snapBoundaries, splitAtBoundaries } from "./boundary-spans.ts"
import { formatMinutes } from "./boundary-text.ts"
import { createQuoteFinder } from "./find-quote.ts"
import { selectWords } from "./word-range.ts"

const within = { start_s: 60, end_s: 300 }
const topics = (...starts: string[]) => starts.map((s) => ({ s, e: "99:99" }))

const times = (...args: Parameters<typeof parseBoundaries>) => parseBoundaries(...args)?.times ?? null

describe("parseBoundaries", () => {
  it("sorts the start times and ignores the first one", () => {
    expect(times(topics("03:00", "01:10", "04:00"), within)).toEqual([180, 240])
  })

  it("clamps times to the span and drops empty topics", () => {
    expect(times(topics("00:00", "00:30", "02:00", "02:00", "05:00", "09:00"), within)).toEqual([120])
  })

  it("skips invalid times", () => {
    expect(times(topics("01:00", "soon", "02:30"), within)).toEqual([150])
  })

  it("returns null if no time is valid or inside the span", () => {
    expect(times(topics("soon", "later"), within)).toBeNull()
    expect(times(topics("10:00", "12:00"), within)).toBeNull()
    expect(times([], within)).toBeNull()
  })

  it("returns no boundaries for a single topic", () => {
    expect(times(topics("01:00"), within)).toEqual([])
  })

  it("takes the time of a quote that occurs, and the given time otherwise", () => {
    const said = "welcome all | so the boat leaks | and now the bees | so the boat floats".split(" | ")
    const words = said.flatMap((text, line) =>
      text.split(" ").map((word, i) => ({ word, start: 60 + line * 60 + i * 0.5, end: 61, speaker: "0" })),
    )
    const answer = [
      { s: "01:00", q: "Welcome all" },
      { s: "02:20", q: "so the boat" },
      { s: "02:50", q: "something invented here" },
      { s: "soon", q: "Now the bees!" },
      { s: "04:30", q: "" },
      { s: "nonsense", q: "now" },
    ]
    expect(parseBoundaries(answer, within, createQuoteFinder(words))).toEqual({
      times: [120, 170, 180.5, 270],
      quoted: new Set([60, 120, 180.5]),
      missing: ["something invented here", "now"],
    })
  })
})

describe("snapBoundaries", () => {
  const say = (start: number, speaker = "0", length = 1): WordSpan => ({
    word: "w",
    start,
    end: start + length,
    speaker,
  })
  const span = { start_s: 0, end_s: 100 }
  const flowing = Array.from({ length: 100 }, (_, i) => say(i))

  it("moves a boundary to the nearest pause within half a block", () => {
    const words = flowing.map((w) => (w.start === 41 ? { ...w, end: 41.2 } : w))
    expect(snapBoundaries([50], words, span, 20)).toEqual([42])
    expect(snapBoundaries([50], words, span, 10)).toEqual([50])
  })

  it("moves a boundary to a speaker change", () => {
    const words = flowing.map((w) => ({ ...w, speaker: w.start >= 45 ? "1" : "0" }))
    expect(snapBoundaries([52], words, span, 20)).toEqual([45])
  })

  it("ignores a pause during an overlapping word", () => {
    // The second voice speaks for 30 s. Without it there would be a pause before the word at 15 s.
    const words = [say(0, "0", 30), say(5, "0", 0.1), say(15), say(16), say(31)]
    expect(snapBoundaries([17], words, span, 8)).toEqual([16])
    expect(snapBoundaries([29], words, span, 8)).toEqual([31])
  })

  it("otherwise moves a boundary to the nearest start of a word", () => {
    expect(snapBoundaries([50.4, 70.6], flowing, span, 10)).toEqual([50, 71])
  })

  it("merges equal boundaries, and returns none for a single word", () => {
    expect(snapBoundaries([50.1, 49.9], flowing, span, 10)).toEqual([50])
    expect(snapBoundaries([50], [say(10)], span, 10)).toEqual([])
  })
})

describe("the boundaries of an arbitrary answer", () => {
  const recording = fc
    .array(fc.record({ gap: fc.double({ min: 0, max: 8, noNaN: true }), who: fc.nat(2) }), { minLength: 1 })
    .map((steps) => {
      let at = 0
      return steps.map(({ gap, who }): WordSpan => {
        at += gap
        return { word: "w", start: at, end: at + 0.4, speaker: String(who) }
      })
    })
  const time = fc.oneof(
    fc.integer({ min: 0, max: 900 }).map(formatMinutes),
    fc.string({ maxLength: 8 }),
    fc.constantFrom("1:00:00", "00:30.5"),
  )

  it("split the span without gaps into spans with at least one word", () => {
    fc.assert(
      fc.property(
        recording,
        fc.array(fc.record({ s: time, e: time })),
        fc.integer({ min: 5, max: 120 }),
        (words, answer, block) => {
          const span = { start_s: 0, end_s: words.at(-1)!.end + 1 }
          const spans = splitAtBoundaries(snapBoundaries(times(answer, span) ?? [], words, span, block), span)
          expect(spans[0]!.start_s).toBe(span.start_s)
          expect(spans.at(-1)!.end_s).toBe(span.end_s)
          for (const [i, part] of spans.entries()) {
            expect(part.end_s).toBeGreaterThan(part.start_s)
            if (i > 0) expect(part.start_s).toBe(spans[i - 1]!.end_s)
            expect(selectWords(words, part).length).toBeGreaterThan(0)
          }
        },
      ),
    )
  })
})
