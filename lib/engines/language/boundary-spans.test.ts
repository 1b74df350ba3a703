import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { cutsOf, snapCuts, splitAtBoundaries } from "./boundary-spans.ts"
import { clock, wordsWithin } from "./boundary-text.ts"

const within = { start_s: 60, end_s: 300 }
const topics = (...starts: string[]) => starts.map((s) => ({ s, e: "99:99" }))

describe("cutsOf", () => {
  it("sorts, anchors the first topic and lets each end where the next starts", () => {
    expect(cutsOf(topics("03:00", "01:10", "04:00"), within)).toEqual([180, 240])
  })

  it("clamps times outside and drops topics that are empty then", () => {
    expect(cutsOf(topics("00:00", "00:30", "02:00", "02:00", "05:00", "09:00"), within)).toEqual([120])
  })

  it("skips times that cannot be read", () => {
    expect(cutsOf(topics("01:00", "soon", "02:30"), within)).toEqual([150])
  })

  it("is null when no time is readable or none is inside", () => {
    expect(cutsOf(topics("soon", "later"), within)).toBeNull()
    expect(cutsOf(topics("10:00", "12:00"), within)).toBeNull()
    expect(cutsOf([], within)).toBeNull()
  })

  it("takes one topic for the whole stretch", () => {
    expect(cutsOf(topics("01:00"), within)).toEqual([])
  })
})

describe("snapCuts", () => {
  const say = (start: number, speaker = "0", length = 1): WordSpan => ({
    word: "w",
    start,
    end: start + length,
    speaker,
  })
  const stretch = { start_s: 0, end_s: 100 }
  const flowing = Array.from({ length: 100 }, (_, i) => say(i))

  it("goes to the nearest pause within half a bucket", () => {
    const words = flowing.map((w) => (w.start === 41 ? { ...w, end: 41.2 } : w))
    expect(snapCuts([50], words, stretch, 20)).toEqual([42])
    expect(snapCuts([50], words, stretch, 10)).toEqual([50])
  })

  it("goes to a change of speaker as to a pause", () => {
    const words = flowing.map((w) => ({ ...w, speaker: w.start >= 45 ? "1" : "0" }))
    expect(snapCuts([52], words, stretch, 20)).toEqual([45])
  })

  it("sees no pause while a longer word still lasts", () => {
    const words = [say(0, "0", 30), say(5, "0", 0.1), say(20, "0", 0.1), say(31, "0", 1)]
    expect(snapCuts([19], words, stretch, 4)).toEqual([20])
    expect(snapCuts([30], words, stretch, 4)).toEqual([31])
  })

  it("goes to a word border elsewhere", () => {
    expect(snapCuts([50.4, 70.6], flowing, stretch, 10)).toEqual([50, 71])
  })

  it("makes one boundary of two that fall together, and none of a stretch with one word", () => {
    expect(snapCuts([50.1, 49.9], flowing, stretch, 10)).toEqual([50])
    expect(snapCuts([50], [say(10)], stretch, 10)).toEqual([])
  })
})

describe("an answer of any kind", () => {
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
    fc.integer({ min: 0, max: 900 }).map(clock),
    fc.string({ maxLength: 8 }),
    fc.constantFrom("1:00:00", "00:30.5"),
  )

  it("becomes parts that tile the stretch, each with a word in it", () => {
    fc.assert(
      fc.property(
        recording,
        fc.array(fc.record({ s: time, e: time })),
        fc.integer({ min: 5, max: 120 }),
        (words, answer, block) => {
          const stretch = { start_s: 0, end_s: words.at(-1)!.end + 1 }
          const spans = splitAtBoundaries(snapCuts(cutsOf(answer, stretch) ?? [], words, stretch, block), stretch)
          expect(spans[0]!.start_s).toBe(stretch.start_s)
          expect(spans.at(-1)!.end_s).toBe(stretch.end_s)
          for (const [i, span] of spans.entries()) {
            expect(span.end_s).toBeGreaterThan(span.start_s)
            if (i > 0) expect(span.start_s).toBe(spans[i - 1]!.end_s)
            expect(wordsWithin(words, span).length).toBeGreaterThan(0)
          }
        },
      ),
    )
  })
})
