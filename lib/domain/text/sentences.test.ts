import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { statementsIn } from "./sentences.ts"

describe("the statements of a text", () => {
  it("are its sentences, over lines that were broken for want of room", () =>
    expect(
      statementsIn("The keeper trimmed the wick of the\nFresnel lamp every four hours. He\nslept little."),
    ).toEqual(["The keeper trimmed the wick of the Fresnel lamp every four hours.", "He slept little."]))
  it("are headings, rows and items by themselves", () => {
    expect(statementsIn("Felting\nFelting needs hot water, soap and friction.")).toEqual([
      "Felting",
      "Felting needs hot water, soap and friction.",
    ])
    expect(statementsIn("Part | Wood\nKeel | iroko")).toEqual(["Part | Wood", "Keel | iroko"])
    expect(statementsIn("name: Ada; city: Lagos\nname: Jonas; city: Bergen")).toHaveLength(2)
    expect(statementsIn("- salt\n- water\n1) flour")).toHaveLength(3)
  })
  it("hold every letter once", () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom("Ab", "c", ".", "\n", " ", "| ", "- ", "x: y; ")), (parts) => {
        const text = parts.join("")
        const letters = (s: string) => s.replace(/\s/g, "")
        expect(statementsIn(text).map(letters).join("")).toBe(letters(text))
      }),
    ))
})
