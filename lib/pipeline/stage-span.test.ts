import { expect, it } from "vitest"
import { noTelemetry } from "../platform/telemetry/none.ts"
import type { Span, SpanStart, Telemetry } from "../platform/telemetry/types.ts"
import { runInStageSpan } from "./stage-span.ts"

const claim = { jobId: "j", stage: "l1", attempt: 2, tries: 1, owner: "o" } as const
const trace = { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` }

const setUp = () => {
  const began: (readonly [string, SpanStart])[] = []
  const recorded: (readonly [string, number, object])[] = []
  const events: unknown[] = []
  const span: Span = {
    set: (attributes) => void events.push(attributes),
    run: (work) => {
      events.push("run")
      return work()
    },
    end: (error) => void events.push(["end", error]),
  }
  const telemetry: Telemetry = {
    ...noTelemetry,
    on: true,
    begin: (name, start) => {
      began.push([name, start])
      return span
    },
    record: (histogram, value, attributes) => void recorded.push([histogram, value, attributes]),
  }
  return { telemetry, began, recorded, events }
}

it("runs an attempt in a span of the job's trace, and records its outcome and its duration in seconds", async () => {
  const { telemetry, began, recorded, events } = setUp()
  expect(await runInStageSpan(telemetry, claim, trace, async () => "done")).toBe("done")
  const attributes = { "earmark.job.id": "j", "earmark.stage": "l1", "earmark.stage.attempt": 2 }
  expect(began).toEqual([["stage l1", { kind: "consumer", parent: trace, attributes }]])
  expect(events).toEqual(["run", { "earmark.stage.outcome": "done" }, ["end", undefined]])
  const outcome = { "earmark.stage": "l1", "earmark.stage.outcome": "done" }
  expect(recorded).toEqual([["earmark.stage.duration", expect.any(Number), outcome]])
  expect(recorded[0]![1]).toBeGreaterThanOrEqual(0)
  expect(recorded[0]![1]).toBeLessThan(10)
})

it("ends the span of a stage that did not finish with the reason", async () => {
  const { telemetry, events } = setUp()
  const reason = new Error("the model server is gone")
  const work = async (onFailure: (error: unknown) => void) => {
    onFailure(reason)
    return "queued" as const
  }
  expect(await runInStageSpan(telemetry, claim, undefined, work)).toBe("queued")
  expect(events).toEqual(["run", { "earmark.stage.outcome": "queued" }, ["end", reason]])
})

it("says that the outcome was not written if the store fails, and passes the error on", async () => {
  const { telemetry, recorded, events } = setUp()
  const locked = new Error("the database is locked")
  await expect(runInStageSpan(telemetry, claim, trace, () => Promise.reject(locked))).rejects.toBe(locked)
  expect(events).toEqual(["run", { "earmark.stage.outcome": "unwritten" }, ["end", locked]])
  expect(recorded[0]![2]).toEqual({ "earmark.stage": "l1", "earmark.stage.outcome": "unwritten" })
})

it("begins no span without telemetry", async () => {
  const begin = () => {
    throw new Error("no span is begun")
  }
  const work = async (onFailure: (error: unknown) => void) => {
    onFailure(new Error("ignored"))
    return "error" as const
  }
  expect(await runInStageSpan({ ...noTelemetry, begin }, claim, trace, work)).toBe("error")
})
