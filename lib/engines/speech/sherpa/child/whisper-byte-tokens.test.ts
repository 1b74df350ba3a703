import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { NativeResult } from "./native.ts"
import { decodeByteTokens, toLatin1Tokens } from "./whisper-byte-tokens.ts"

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")
const result = (tokens: readonly Uint8Array[], more: Partial<NativeResult> = {}): NativeResult => {
  const latin1 = tokens.map((t) => Buffer.from(t).toString("latin1"))
  return { text: latin1.join(""), lang: "ja", tokens: latin1, timestamps: [], durations: [], ...more }
}

describe("Whisper byte tokens", () => {
  it("are converted to one Latin-1 character per byte, which is always valid UTF-8", () => {
    const [line, other] = toLatin1Tokens(`${base64(Buffer.from([0x20, 0xe6, 0x97]))} 7\n\n`).split("\n")
    expect(line).toBe(`${base64(Buffer.from(" \u00e6\u0097"))} 7`)
    expect(other).toBe("")
  })

  it("are joined if they contain parts of one character, and keep the first one's time", () => {
    const parts = [Buffer.from([0x20, 0xe6]), Buffer.from([0x97]), Buffer.from([0xa5]), Buffer.from("本。")]
    const decoded = decodeByteTokens(result(parts, { timestamps: [0.1, 0.3, 0.5, 1], durations: [0.2, 0.2, 0.5, 1] }))
    expect(decoded.text).toBe(" 日本。")
    expect(decoded.tokens).toEqual([" ", "日", "本。"])
    expect(decoded.timestamps).toEqual([0.1, 0.3, 1])
    expect(decoded.durations).toEqual([0.2, 0.7, 1])
  })

  it("lose only a character that the end of the segment cut in two", () => {
    const decoded = decodeByteTokens(result([Buffer.from("日"), Buffer.from([0xe6, 0x97])]))
    expect([decoded.text, decoded.tokens, decoded.timestamps]).toEqual(["日", ["日"], []])
  })

  it("reproduce every text, wherever it is cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat(12)), (text, cuts) => {
        const bytes = Buffer.from(text)
        const places = [0, ...cuts.map((c) => Math.min(c, bytes.length)).sort((a, b) => a - b), bytes.length]
        const parts = places.slice(1).map((to, i) => bytes.subarray(places[i], to))
        const decoded = decodeByteTokens(
          result(parts, { timestamps: parts.map((_, i) => i), durations: parts.map(() => 1) }),
        )
        const whole = Buffer.from(text).toString("utf8").replaceAll("\uFFFD", "")
        expect(decoded.text).toBe(whole)
        expect(decoded.tokens.join("")).toBe(whole)
        expect(decoded.timestamps).toHaveLength(decoded.tokens.length)
        expect(decoded.timestamps).toEqual([...decoded.timestamps].sort((a, b) => a - b))
      }),
    )
  })
})
