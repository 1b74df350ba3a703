import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { NativeResult } from "./native.ts"
import { decodeByteTokens, toLatin1Tokens } from "./whisper-byte-tokens.ts"

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")
const result = (tokens: readonly Uint8Array[], more: Partial<NativeResult> = {}): NativeResult => {
  const said = tokens.map((t) => Buffer.from(t).toString("latin1"))
  return { text: said.join(""), lang: "ja", tokens: said, timestamps: [], durations: [], ...more }
}

describe("tokens that are bytes", () => {
  it("are spelled a character a byte, which is UTF-8 whatever they hold", () => {
    const [line, other] = toLatin1Tokens(`${base64(Buffer.from([0x20, 0xe6, 0x97]))} 7\n\n`).split("\n")
    expect(line).toBe(`${base64(Buffer.from(" \u00e6\u0097"))} 7`)
    expect(other).toBe("")
  })

  it("are joined where a character lies in several of them, and keep the first one's time", () => {
    const parts = [Buffer.from([0x20, 0xe6]), Buffer.from([0x97]), Buffer.from([0xa5]), Buffer.from("本。")]
    const heard = decodeByteTokens(result(parts, { timestamps: [0.1, 0.3, 0.5, 1], durations: [0.2, 0.2, 0.5, 1] }))
    expect(heard.text).toBe(" 日本。")
    expect(heard.tokens).toEqual([" ", "日", "本。"])
    expect(heard.timestamps).toEqual([0.1, 0.3, 1])
    expect(heard.durations).toEqual([0.2, 0.7, 1])
  })

  it("lose a character that the segment's end cut in two, and nothing else", () => {
    const heard = decodeByteTokens(result([Buffer.from("日"), Buffer.from([0xe6, 0x97])]))
    expect([heard.text, heard.tokens, heard.timestamps]).toEqual(["日", ["日"], []])
  })

  it("give every text back, wherever it is cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat(12)), (text, cuts) => {
        const bytes = Buffer.from(text)
        const places = [0, ...cuts.map((c) => Math.min(c, bytes.length)).sort((a, b) => a - b), bytes.length]
        const parts = places.slice(1).map((to, i) => bytes.subarray(places[i], to))
        const heard = decodeByteTokens(
          result(parts, { timestamps: parts.map((_, i) => i), durations: parts.map(() => 1) }),
        )
        const whole = Buffer.from(text).toString("utf8").replaceAll("\uFFFD", "")
        expect(heard.text).toBe(whole)
        expect(heard.tokens.join("")).toBe(whole)
        expect(heard.timestamps).toHaveLength(heard.tokens.length)
        expect(heard.timestamps).toEqual([...heard.timestamps].sort((a, b) => a - b))
      }),
    )
  })
})
