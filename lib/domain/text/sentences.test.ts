import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { splitStatements } from "./sentences.ts"

describe("splitStatements", () => {
  it("joins the lines of wrapped sentences", () =>
    expect(
      splitStatements("The keeper trimmed the wick of the\nFresnel lamp every four hours. He\nslept little."),
    ).toEqual(["The keeper trimmed the wick of the Fresnel lamp every four hours.", "He slept little."]))
  it("returns headings, table rows and list items separately", () => {
    expect(splitStatements("Felting\nFelting needs hot water, soap and friction.")).toEqual([
      "Felting",
      "Felting needs hot water, soap and friction.",
    ])
    expect(splitStatements("Part | Wood\nKeel | iroko")).toEqual(["Part | Wood", "Keel | iroko"])
    expect(splitStatements("name: Ada; city: Lagos\nname: Jonas; city: Bergen")).toHaveLength(2)
    expect(splitStatements("- salt\n- water\n1) flour")).toHaveLength(3)
  })
  it("returns every letter of the text once", () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom("Ab", "c", ".", "\n", " ", "| ", "- ", "x: y; ")), (parts) => {
        const text = parts.join("")
        const letters = (s: string) => s.replace(/\s/g, "")
        expect(splitStatements(text).map(letters).join("")).toBe(letters(text))
      }),
    ))
})
