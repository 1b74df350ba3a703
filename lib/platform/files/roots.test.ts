import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isInside } from "./roots.ts"

const name = fc.stringMatching(/^[a-z.]{1,8}$/).filter((s) => s !== "." && s !== "..")

describe("isInside", () => {
  it("accepts a root and everything in it, but not a sibling with the same prefix", () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.array(name, { maxLength: 4 }), (root, below) => {
        const folder = `/${root.join("/")}`
        expect(isInside([folder], join(folder, ...below))).toBe(true)
        expect(isInside([folder], `${folder}-evil/${below.join("/")}`)).toBe(false)
        expect(isInside([folder], join(folder, "..", "..", "OTHER"))).toBe(false)
      }),
    )
  })

  it("accepts any of several roots, and nothing without roots", () => {
    expect(isInside(["/a", "/b"], "/b/c")).toBe(true)
    expect(isInside([], "/b/c")).toBe(false)
    expect(isInside(["/"], "/etc/passwd")).toBe(true)
  })
})
