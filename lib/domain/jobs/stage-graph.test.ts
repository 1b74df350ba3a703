import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { STAGES } from "../../pipeline/stages/index.ts"
import { firstStage, hasValidNext, isJoin, planStages, predecessorsOf, successorsOf } from "./stage-graph.ts"
import { STAGE_TABLE } from "./stage-table.ts"
import { STAGE_NAMES, type StageName } from "./stages.ts"

describe("the stage graph", () => {
  it("lists successors in next, but never a join", () => {
    expect(successorsOf("l1")).toEqual(["decide", "summarize_l1"])
    expect(successorsOf("summarize_l1")).toEqual([])
    expect(STAGE_NAMES.filter(isJoin)).toEqual(["l0"])
    expect(predecessorsOf("l0")).toEqual(["summarize_l1", "summarize_l2"])
  })

  it("accepts only the successors of a stage as next, in any order", () => {
    expect(hasValidNext({ stage: "l1", next: ["summarize_l1", "decide"] })).toBe(true)
    expect(hasValidNext({ stage: "l1", next: ["decide"] })).toBe(false)
    expect(hasValidNext({ stage: "summarize_l2", next: ["l0"] })).toBe(false)
    expect(hasValidNext({ stage: "l1", next: ["decide", "decide"] })).toBe(false)
  })

  it("plans every stage once, after its predecessors, with its own limit of attempts", () => {
    const rows = planStages()
    expect(rows.map((r) => r.stage)).toEqual([...STAGE_NAMES])
    rows.forEach(({ stage, next, maxAttempts }, i) => {
      expect(next.every((s) => rows.findIndex((r) => r.stage === s) > i)).toBe(true)
      expect(maxAttempts).toBe(STAGE_TABLE[stage].maxAttempts)
      expect(STAGES[stage].name).toBe(stage)
    })
    expect(rows.find((r) => r.stage === "l0")?.joins).toEqual(["summarize_l1", "summarize_l2"])
  })

  it("runs every stage once and after its predecessors, in whatever order workers finish", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (choices) => {
        const ready: StageName[] = [firstStage]
        const done: StageName[] = []
        while (ready.length > 0) {
          const [stage] = ready.splice(choices.next().value % ready.length, 1) as [StageName]
          expect(predecessorsOf(stage).every((s) => done.includes(s))).toBe(true)
          done.push(stage)
          ready.push(...successorsOf(stage))
          // The last predecessor to finish enqueues the join.
          const joins = STAGE_NAMES.filter((s) => isJoin(s) && predecessorsOf(s).includes(stage))
          ready.push(...joins.filter((s) => predecessorsOf(s).every((need) => done.includes(need))))
        }
        expect(done.toSorted()).toEqual([...STAGE_NAMES].sort())
      }),
    )
  })

  it("rejects every list of stages that is not a permutation of the successors", () => {
    const stage = fc.constantFrom(...STAGE_NAMES)
    fc.assert(
      fc.property(stage, fc.array(stage, { maxLength: 3 }), (of, next) => {
        expect(hasValidNext({ stage: of, next })).toBe(next.toSorted().join() === successorsOf(of).sort().join())
      }),
      { numRuns: 2_000 },
    )
  })
})
