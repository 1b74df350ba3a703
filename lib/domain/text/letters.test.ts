import { describe, expect, it } from "vitest"
import { lettersOf, positionOfLetter } from "./letters.ts"

describe("the letters of a text", () => {
  it("are what remains without spaces and marks, in any script", () => {
    expect(lettersOf("  A-b, «ç» 1.5\n日本。")).toBe("Abç15日本")
    expect(lettersOf("… –")).toBe("")
  })
  it("have positions in the text", () => {
    const text = " a-bc  d."
    expect([0, 1, 2, 3].map((n) => text[positionOfLetter(text, n)])).toEqual(["a", "b", "c", "d"])
    expect(positionOfLetter(text, 4)).toBe(text.length)
  })
})
