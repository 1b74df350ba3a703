import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createSegmentPacker, type Segment, type SegmentLimits } from "./pack-segments.ts"

const limits: SegmentLimits = {
  maxLength: 290,
  minLength: 80,
  maxGap: 20,
  margin: 1,
  findCut: ({ from }) => from + 200,
}
const pack = (speech: readonly Segment[], end: number, more: Partial<SegmentLimits> = {}): Segment[] => {
  const packer = createSegmentPacker({ ...limits, ...more })
  return [...speech.flatMap((s) => packer.push(s)), ...packer.flush(end)]
}

describe("createSegmentPacker", () => {
  it("packs neighboring speech into one segment with margins", () => {
    expect(
      pack(
        [
          { from: 10, to: 50 },
          { from: 55, to: 90 },
        ],
        200,
      ),
    ).toEqual([{ from: 9, to: 91 }])
  })

  it("cuts at the longest pause after the minimum length, not at the last pause", () => {
    const speech = [
      { from: 0, to: 30 },
      { from: 45, to: 100 },
      { from: 112, to: 200 },
      { from: 203, to: 310 },
    ]
    expect(pack(speech, 400)).toEqual([
      { from: 0, to: 101 },
      { from: 111, to: 311 },
    ])
  })

  it("ends a segment at a long silence", () => {
    expect(
      pack(
        [
          { from: 10, to: 20 },
          { from: 60, to: 70 },
        ],
        100,
      ),
    ).toEqual([
      { from: 9, to: 21 },
      { from: 59, to: 71 },
    ])
  })

  it("cuts speech without pauses at its quietest points", () => {
    expect(pack([{ from: 0, to: 500 }], 500)).toEqual([
      { from: 0, to: 200 },
      { from: 200, to: 400 },
      { from: 400, to: 500 },
    ])
  })

  it("covers all speech in order, without overlap, in segments within the maximum length", () => {
    const part = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 700 }))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.integer({ min: 100, max: 280 }), (parts, quiet) => {
        let at = 0
        const speech = parts.map(([gap, length]) => {
          const from = at + gap
          at = from + length
          return { from, to: at }
        })
        const segments = pack(speech, at + 5, { findCut: ({ from }) => from + quiet })
        for (const [i, s] of segments.entries()) {
          expect(s.to - s.from).toBeLessThanOrEqual(limits.maxLength)
          expect(s.from).toBeGreaterThanOrEqual(segments[i - 1]?.to ?? 0)
        }
        for (const { from, to } of speech) {
          const covered = segments.reduce((sum, s) => sum + Math.max(0, Math.min(to, s.to) - Math.max(from, s.from)), 0)
          expect(covered).toBe(to - from)
        }
      }),
    )
  })
})
