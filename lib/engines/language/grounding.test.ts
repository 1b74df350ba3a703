import { describe, expect, it } from "vitest"
import { findUngroundedTerms } from "./grounding.ts"

const said =
  "we met maria in toronto and she told us that twenty five per cent of canadian farms sell on we chat since nineteen ninety for one point six million dollars with x m l"

describe("findUngroundedTerms", () => {
  it.each([
    "Farms, says Maria, sell on WeChat in Toronto.",
    "About 25% of farms in Canada sell online since 1990, for 1.6 million, in XML.",
    "There are three ways to sell. I'd say that Toronto is one of the two places.",
  ])("returns nothing for: %s", (summary) => expect(findUngroundedTerms(summary, said)).toEqual([]))
  it.each([
    ["Farms, says Henrik, sell in Zanzibar.", ["Henrik", "Zanzibar"]],
    ["About 35% of farms sell online.", ["35"]],
    ["Seventeen farms sell by NASA.", ["NASA", "17"]],
  ])("returns names and numbers that were not said: %s", (summary, ungrounded) =>
    expect(findUngroundedTerms(summary, said)).toEqual(ungrounded),
  )
  it("does not treat German nouns as names", () =>
    expect(
      findUngroundedTerms("Es geht um den Garten und die Ernte, die wir in dem Haus haben.", "wir ernten"),
    ).toEqual([]))
})
