import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isInside, outsideRoots } from "./roots.ts"

const name = fc.stringMatching(/^[a-z][a-z.]{0,7}$/)

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

  it("accepts a hidden file or folder only if a root names it", () => {
    for (const path of [
      "/home/ada/.aws/creds.json",
      "/home/ada/.env",
      "/home/ada/talks/.git/config",
      "/home/ada/..x/a",
    ]) {
      expect(isInside(["/home/ada"], path), path).toBe(false)
      expect(outsideRoots(path, ["/home/ada"]).message).toMatch(/is hidden.*SERVICE_INGEST_ROOTS/)
    }
    expect(isInside(["/home/ada", "/home/ada/.notes"], "/home/ada/.notes/bees.md")).toBe(true)
    expect(isInside(["/home/ada", "/home/ada/.notes"], "/home/ada/.notes/.git/config")).toBe(false)
    expect(isInside(["/home/.ada"], "/home/.ada/talk.mp3")).toBe(true)
    expect(outsideRoots("/etc/passwd", ["/home/ada"]).message).toMatch(/outside the allowed folders/)
  })
  it("accepts any of several roots, and nothing without roots", () => {
    expect(isInside(["/a", "/b"], "/b/c")).toBe(true)
    expect(isInside([], "/b/c")).toBe(false)
    expect(isInside(["/"], "/etc/passwd")).toBe(true)
  })
})
