import { describe, expect, it } from "vitest"
import { parseWorkerArgs, USAGE } from "./args.ts"

describe("parseWorkerArgs", () => {
  it("returns the stages in pipeline order, and all of them by default", () => {
    expect(parseWorkerArgs(["--stages", "l2, whisper"]).stages).toEqual(["whisper", "l2"])
    expect(parseWorkerArgs([]).stages).toHaveLength(8)
  })
  it.each([[["--stages", "summarize"]], [["--stages", ""]], [["--what"]]])("rejects %j", (argv) => {
    expect(() => parseWorkerArgs(argv)).toThrow(/stages/)
  })
  it("explains what is wrong and what to do", () => {
    const messageOf = (...argv: string[]) => {
      try {
        parseWorkerArgs(argv)
      } catch (error) {
        return error
      }
      return null
    }
    const stages = "Stages: whisper, l1, decide, l2, summarize_l1, summarize_l2, l0, persist."
    expect(messageOf("--stages", "l1,nope,no")).toMatchObject({
      code: "invalid",
      message: `--stages: unknown stage 'nope'. ${stages}`,
    })
    expect(messageOf("--stages", " , ")).toMatchObject({ message: `--stages: unknown stage ''. ${stages}` })
    for (const argv of [["--what"], ["l1"], ["--stages"]])
      expect(messageOf(...argv)).toMatchObject({
        code: "invalid",
        message: "Unknown option. A worker takes --stages with comma-separated names, and --help.",
        cause: expect.any(Error),
      })
  })
  it("recognizes --help", () => {
    expect(["--help", "-h"].map((flag) => parseWorkerArgs([flag]).isHelp)).toEqual([true, true])
    expect(parseWorkerArgs(["--stages", "l1"])).toEqual({ isHelp: false, stages: ["l1"] })
    expect(USAGE).toMatch(/^Usage: earmark-worker .*--stages a,b.*Stages: whisper, l1, decide/s)
  })
})
