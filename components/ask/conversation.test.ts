import { describe, expect, it } from "vitest"
import { parseConversation } from "./conversation.ts"

const turn = (state: string) => ({ id: 3, question: "Where?", scope: "all", sources: [], answer: "By", state })

describe("stored conversation", () => {
  it("marks interrupted answers as stopped", () => {
    const kept = parseConversation(JSON.stringify({ turns: [turn("done"), turn("writing"), turn("asking")], next: 4 }))
    expect(kept?.turns.map((t) => t.state)).toEqual(["done", "stopped", "stopped"])
    expect([kept?.turns[1]?.answer, kept?.next]).toEqual(["By", 4])
  })
  it("is null if nothing valid is stored", () =>
    expect([null, "", "{", "{}", "7"].map(parseConversation)).toEqual([null, null, null, null, null]))
})
