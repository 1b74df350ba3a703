import { describe, expect, it } from "vitest"
import type { Outcome } from "../lib/pipeline/run-stage.ts"
import { createLogger } from "../lib/platform/logger.ts"
import type { Delivery } from "../lib/queue/types.ts"
import { createHandler } from "./consumer.ts"

const message = {
  version: 1,
  job_id: "job-1",
  session_id: "fa678091-b771-53c5-bb5c-b97259498be6",
  stage: "l1",
  attempt: 1,
  next: ["decide", "summarize_l1"],
}
const delivery = (body: unknown): Delivery => ({
  id: "m",
  stage: "l1",
  body: typeof body === "string" ? body : JSON.stringify(body),
  redelivered: false,
})
const handle = async (body: unknown, run: () => Promise<Outcome> = async () => "done") => {
  const asked: string[] = []
  const runner = {
    run: (jobId: string, stage: string) => {
      asked.push(`${stage} of ${jobId}`)
      return run()
    },
  }
  return { settlement: await createHandler(runner, createLogger("silent", "test"))(delivery(body)), asked }
}

describe("a delivery", () => {
  it("is run and settled, whatever became of it", async () => {
    for (const outcome of ["done", "queued", "error", "dropped", "duplicate"] as const)
      expect(await handle(message, async () => outcome)).toEqual({ settlement: "ack", asked: ["l1 of job-1"] })
  })

  it("is run without its trace when that cannot be read, and with it when it can", async () => {
    const given: unknown[] = []
    const trace = { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` }
    for (const odd of [undefined, trace, "nonsense", { traceparent: 7 }, { traceparent: "x".repeat(500) }]) {
      const runner = {
        run: async (_job: string, _stage: string, circumstances?: { trace?: unknown }): Promise<Outcome> => {
          given.push(circumstances?.trace)
          return "done"
        },
      }
      const handler = createHandler(runner, createLogger("silent", "test"))
      expect(await handler(delivery({ ...message, ...(odd !== undefined && { trace: odd }) }))).toBe("ack")
    }
    expect(given).toEqual([undefined, trace, undefined, undefined, undefined])
  })

  it.each([
    ["no JSON", "{", "not JSON"],
    ["a stage that does not exist", { ...message, stage: "summarize", next: [] }, "not a stage message: stage"],
    ["a version far off", { ...message, version: 3 }, "not a stage message: version"],
    ["no version", { ...message, version: undefined }, "not a stage message: version"],
    ["a next that the graph does not allow", { ...message, next: ["l0"] }, "after l1 the graph does not allow [l0]"],
    ["another queue", { ...message, stage: "l2", next: ["summarize_l2"] }, "a message of stage l2 in the queue of l1"],
  ])("with %s goes to the dead letters, with the reason", async (_, body, reason) => {
    const { settlement, asked } = await handle(body)
    expect(settlement).toEqual({ deadLetter: expect.stringContaining(reason) })
    expect(asked).toEqual([])
  })

  it("of the next version, whatever else is in it, is left to a worker that knows it", async () => {
    const { settlement, asked } = await handle({ version: 2, job: "job-1", stage: "embed", next: ["l9"] })
    expect(settlement).toEqual({ retryInMs: expect.any(Number) })
    expect(asked).toEqual([])
  })

  it("of its own version may have more in it than it knows", async () => {
    expect(await handle({ ...message, priority: 7 })).toEqual({ settlement: "ack", asked: ["l1 of job-1"] })
  })

  it("of a job that nobody knows goes there, too", async () => {
    const { settlement } = await handle(message, async () => "unknown")
    expect(settlement).toEqual({ deadLetter: "unknown job 'job-1'" })
  })

  it("comes again when the store cannot be written", async () => {
    const { settlement } = await handle(message, () => Promise.reject(new Error("locked")))
    expect(settlement).toEqual({ retryInMs: expect.any(Number) })
  })
})
