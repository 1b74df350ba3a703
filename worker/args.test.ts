import { describe, expect, it } from "vitest"
import { parseWorkerArgs } from "./args.ts"

describe("parseWorkerArgs", () => {
  it("returns the stages in pipeline order, and all of them by default", () => {
    expect(parseWorkerArgs(["--stages", "l2, whisper"]).stages).toEqual(["whisper", "l2"])
    expect(parseWorkerArgs([]).stages).toHaveLength(8)
  })
  it.each([[["--stages", "summarize"]], [["--stages", ""]], [["--what"]]])("rejects %j", (argv) => {
    expect(() => parseWorkerArgs(argv)).toThrow(/stages/)
  })
  it("recognizes --help", () => expect(parseWorkerArgs(["--help"]).isHelp).toBe(true))
})
