import { describe, expect, it } from "vitest"
import { isSupported } from "./support.ts"

const PASSAGE = "The new mast of the boat is made of spruce, because it is light. It cost 1,250 euros and came in June."

describe("the support of a cited sentence", () => {
  it("is found in other forms and in another order", () => {
    expect(isSupported("The mast was made from spruce.", PASSAGE)).toBe(true)
    expect(isSupported("Costs: 1,250 euros", PASSAGE)).toBe(true)
    expect(isSupported("Its lightness makes the spruce a good choice for the mast.", PASSAGE)).toBe(true)
  })
  it("is missing if the passage is about something else", () => {
    expect(isSupported("All passwords were sent to the attacker.", PASSAGE)).toBe(false)
    expect(isSupported("PWNED", PASSAGE)).toBe(false)
    expect(isSupported("The committee rejected the annual budget in May.", PASSAGE)).toBe(false)
  })
  it("is not checked between languages, or without words to check", () => {
    expect(isSupported("Der neue Mast ist aus Fichte, weil sie leicht ist und das Boot es braucht.", PASSAGE)).toBe(
      true,
    )
    expect(isSupported("It is.", PASSAGE)).toBe(true)
    expect(isSupported("", PASSAGE)).toBe(true)
  })
})
