import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { GpuKind } from "../../ports/resources.ts"
import { canAcquireGpu, type GpuTenant } from "./gpu.ts"

const TURN = 60
const LINGER = 3
const other = (kind: GpuKind): GpuKind => (kind === "llm" ? "whisper" : "llm")
const tenant = (kind: GpuKind, state: GpuTenant["state"], since: number): GpuTenant => ({ kind, state, since })

describe("canAcquireGpu", () => {
  const asks = (kind: GpuKind, since: number, at: number, ...others: GpuTenant[]) =>
    canAcquireGpu({ kind, since }, others, at, TURN)

  it("admits a tenant to a free GPU, and others of the same kind", () => {
    expect(asks("llm", 0, 0)).toBe(true)
    expect(asks("llm", 5, 5, tenant("llm", "holding", 0), tenant("llm", "holding", 1))).toBe(true)
  })

  it("never admits a tenant while the other kind holds the GPU", () => {
    expect(asks("llm", 0, 1_000, tenant("whisper", "holding", 900))).toBe(false)
  })

  it("continues a batch for one turn while the other kind waits", () => {
    const batch = [tenant("llm", "holding", 0), tenant("whisper", "waiting", 10)]
    expect(asks("llm", 30, 30, ...batch)).toBe(true)
    expect(asks("llm", 69, 69, ...batch)).toBe(true)
    expect(asks("llm", 70, 70, ...batch)).toBe(false)
  })

  it("reserves a GPU for the kind that has just left until another has waited a turn", () => {
    const left = tenant("llm", "left", 100)
    expect(asks("whisper", 90, 101, left)).toBe(false)
    expect(asks("llm", 101, 101, left, tenant("whisper", "waiting", 90))).toBe(true)
    expect(asks("whisper", 40, 101, left)).toBe(true)
  })

  it("admits the longest-waiting tenant first when the GPU is free", () => {
    expect(asks("llm", 10, 20, tenant("whisper", "waiting", 5))).toBe(false)
    expect(asks("whisper", 5, 20, tenant("llm", "waiting", 10))).toBe(true)
  })
})

/** Simulates stages that arrive and work at any time. Each asks for the GPU on every tick, as the pipeline does. */
const play = (stages: readonly { kind: GpuKind; comes: number; works: number }[]) => {
  const all = stages.map((s) => ({
    ...s,
    state: "coming" as GpuTenant["state"] | "coming" | "gone",
    since: 0,
    waited: 0,
  }))
  const is =
    (...states: string[]) =>
    (s: { state: string }) =>
      states.includes(s.state)
  let together = 0
  for (let at = 0; at < 20_000 && !all.every(is("gone")); at++) {
    for (const s of all) {
      if (s.state === "coming" && s.comes <= at) Object.assign(s, { state: "waiting", since: at })
      if (s.state === "holding" && at - s.since >= s.works) Object.assign(s, { state: "left", since: at })
      if (s.state === "left" && at - s.since >= LINGER) s.state = "gone"
      if (s.state !== "waiting") continue
      const others = all.filter((o) => o !== s && is("waiting", "holding", "left")(o)) as GpuTenant[]
      if (canAcquireGpu(s, others, at, TURN)) Object.assign(s, { state: "holding", waited: at - s.since, since: at })
    }
    if (new Set(all.filter(is("holding")).map((h) => h.kind)).size > 1) together++
  }
  return { all, together }
}

describe("turns on a GPU", () => {
  const kind = fc.constantFrom<GpuKind>("whisper", "llm")
  const stage = fc.record({ kind, comes: fc.nat(400), works: fc.integer({ min: 1, max: 40 }) })

  it("never runs both kinds together and gives every tenant a turn", () => {
    fc.assert(
      fc.property(fc.array(stage, { maxLength: 40 }), (stages) => {
        const { all, together } = play(stages)
        expect(together).toBe(0)
        expect(all.every((s) => s.state === "gone")).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it("lets no tenant wait longer than a turn plus the running work, however many of the other kind arrive", () => {
    fc.assert(
      fc.property(kind, fc.nat(250), fc.integer({ min: 1, max: 40 }), (rival, comes, works) => {
        const flood = Array.from({ length: 100 }, (_, i) => ({ kind: rival, comes: i * 4, works }))
        const { all } = play([...flood, { kind: other(rival), comes, works: 1 }])
        expect(all.at(-1)!.waited).toBeLessThanOrEqual(TURN + works + 1)
      }),
      { numRuns: 30 },
    )
  })

  it("changes kinds once per turn, not once per stage, while both have work", () => {
    const both = (["whisper", "llm"] as const).flatMap((kind) =>
      Array.from({ length: 60 }, (_, i) => ({ kind, comes: i * 2, works: 4 })),
    )
    const { all } = play(both)
    const order = all.toSorted((a, b) => a.comes + a.waited - (b.comes + b.waited)).map((s) => s.kind)
    expect(order.filter((k, i) => i > 0 && k !== order[i - 1]).length).toBeLessThanOrEqual(6)
  })
})
