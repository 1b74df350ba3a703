import { describe, expect, it } from "vitest"
import { parseConversation } from "./conversation.ts"

const turn = (state: string) => ({ id: 3, question: "Where?", scope: "all", sources: [], answer: "By", state })

describe("a conversation that was kept", () => {
  it("is as it was, but for an answer that was cut off, which can be asked for again", () => {
    const kept = parseConversation(JSON.stringify({ turns: [turn("done"), turn("writing"), turn("asking")], next: 4 }))
    expect(kept?.turns.map((t) => t.state)).toEqual(["done", "stopped", "stopped"])
    expect([kept?.turns[1]?.answer, kept?.next]).toEqual(["By", 4])
  })
  it("is none where nothing, or nothing that can be read, was kept", () =>
    expect([null, "", "{", "{}", "7"].map(parseConversation)).toEqual([null, null, null, null, null]))
})
