import { describe, expect, it } from "vitest"
import { TermCandidates } from "./term-candidates.ts"

const hashes = (...values: number[]) => Uint32Array.from(values)

describe("TermCandidates", () => {
  it("lists each topic with a term once, in ascending order", () => {
    const last = 0xffff_ffff
    const candidates = new TermCandidates([
      [hashes(0, last), hashes(0)],
      [hashes(), hashes(0x8000_0000)],
      [],
      [hashes(0), hashes(last)],
    ])
    expect([...candidates.list(0)]).toEqual([0, 3])
    expect([...candidates.list(0x8000_0000)]).toEqual([1])
    expect([...candidates.list(last)]).toEqual([0, 3])
    expect([...candidates.list(0x4000_0000)]).toEqual([])
  })
  it("misses no topic among many, and lists few that lack the term", () => {
    const topics = Array.from({ length: 300 }, (_, i) =>
      Uint32Array.from({ length: 200 }, (_, k) => Math.imul(1 + ((i * 31 + k * 17) % 5000), 0x9e37_79b1) >>> 0),
    )
    const candidates = new TermCandidates(topics.map((terms) => [terms]))
    let listed = 0
    let containing = 0
    for (let term = 1; term <= 5000; term++) {
      const hash = Math.imul(term, 0x9e37_79b1) >>> 0
      const list = candidates.list(hash)
      const own = topics.flatMap((terms, i) => (terms.includes(hash) ? [i] : []))
      expect(own.filter((i) => !list.has(i))).toEqual([])
      listed += list.size
      containing += own.length
    }
    expect(containing).toBe(300 * 200)
    expect(listed).toBeLessThan(1.2 * containing)
  })
  it("lists nothing without topics", () => {
    expect(new TermCandidates([]).list(7).size).toBe(0)
  })
})
