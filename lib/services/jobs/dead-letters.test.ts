import { expect, it, vi } from "vitest"
import type { Deps } from "../deps.ts"
import { dropDeadLetters, listDeadLetters, requeueDeadLetters } from "./dead-letters.ts"

const groupsOf = (rag: string, broker: string) =>
  ({
    rag: { state: rag, reason: "why not rag", install: "npm install rag" },
    broker: { state: broker, reason: "why not broker", install: "npm install broker" },
  }) as unknown as Deps["groups"]

it("dead letters are listed, requeued and dropped by the broker", async () => {
  const broker = {
    deadLetters: vi.fn(async () => [{ id: "a" }]),
    requeueDeadLetters: vi.fn(async () => 2),
    dropDeadLetters: vi.fn(async () => 3),
  }
  const deps = { broker: broker as unknown as NonNullable<Deps["broker"]>, groups: groupsOf("present", "present") }
  expect(await listDeadLetters(deps, { stage: "l1", limit: 7 })).toEqual([{ id: "a" }])
  expect(await requeueDeadLetters(deps, { ids: ["b"] })).toBe(2)
  expect(await dropDeadLetters(deps, { ids: ["c"] })).toBe(3)
  expect(broker.deadLetters).toHaveBeenCalledWith({ stage: "l1", limit: 7 })
  expect(broker.requeueDeadLetters).toHaveBeenCalledWith({ ids: ["b"] })
  expect(broker.dropDeadLetters).toHaveBeenCalledWith({ ids: ["c"] })
})

it.each([
  ["present", "missing", /broker/],
  ["missing", "missing", /rag/],
])("without a broker (rag is %s, broker is %s), the error names the missing group", (rag, broker, message) => {
  const deps = { broker: null, groups: groupsOf(rag, broker) }
  expect(() => listDeadLetters(deps, { limit: 1 })).toThrow(
    expect.objectContaining({ code: "capability_missing", message: expect.stringMatching(message) }) as Error,
  )
})
