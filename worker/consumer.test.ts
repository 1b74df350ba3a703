import { describe, expect, it } from "vitest"
import { STAGE_NAMES } from "../lib/domain/jobs/stages.ts"
import type { StageOutcome } from "../lib/pipeline/stage.ts"
import { createLogger } from "../lib/platform/logger.ts"
import type { Broker, ConsumeOptions, Delivery } from "../lib/queue/types.ts"
import { recordLog } from "../test/fixtures/recorded-log.ts"
import { consumeStages, createHandler } from "./consumer.ts"

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
const handle = async (body: unknown, run: () => Promise<StageOutcome> = async () => "done") => {
  const asked: string[] = []
  const runner = {
    run: (jobId: string, stage: string) => {
      asked.push(`${stage} of ${jobId}`)
      return run()
    },
  }
  return { settlement: await createHandler(runner, createLogger("silent", "test"))(delivery(body)), asked }
}

describe("the stage message handler", () => {
  it("runs the stage and acknowledges the message for every outcome", async () => {
    for (const outcome of ["done", "queued", "error", "dropped", "duplicate"] as const)
      expect(await handle(message, async () => outcome)).toEqual({ settlement: "ack", asked: ["l1 of job-1"] })
  })

  it("claims the attempt that the message requests", async () => {
    const attempts: (number | undefined)[] = []
    const runner = {
      run: async (_job: string, _stage: string, options?: { attempt?: number }): Promise<StageOutcome> => {
        attempts.push(options?.attempt)
        return "done"
      },
    }
    await createHandler(runner, createLogger("silent", "test"))(delivery({ ...message, attempt: 3 }))
    expect(attempts).toEqual([3])
  })

  it("passes a valid trace on and ignores an invalid one", async () => {
    const given: unknown[] = []
    const trace = { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` }
    for (const odd of [undefined, trace, "nonsense", { traceparent: 7 }, { traceparent: "x".repeat(500) }]) {
      const runner = {
        run: async (_job: string, _stage: string, circumstances?: { trace?: unknown }): Promise<StageOutcome> => {
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
    ["a list", [], "not a stage message: "],
    ["a text", '"text"', "not a stage message: "],
    ["an empty next for a stage in between", { ...message, next: [] }, "after l1 the graph does not allow []"],
    [
      "two wrong successors",
      { ...message, next: ["l0", "persist"] },
      "after l1 the graph does not allow [l0, persist]",
    ],
    ["a version far off", { ...message, version: 3 }, "not a stage message: version"],
    ["no version", { ...message, version: undefined }, "not a stage message: version"],
    ["a next that the graph does not allow", { ...message, next: ["l0"] }, "after l1 the graph does not allow [l0]"],
    ["another queue", { ...message, stage: "l2", next: ["summarize_l2"] }, "a message of stage l2 in the queue of l1"],
  ])("dead-letters a message with %s, with the reason", async (_, body, reason) => {
    const { settlement, asked } = await handle(body)
    expect(settlement).toEqual({ deadLetter: expect.stringContaining(reason) })
    expect(asked).toEqual([])
  })

  it("leaves a message of the next version for an upgraded worker", async () => {
    const { settlement, asked } = await handle({ version: 2, job: "job-1", stage: "embed", next: ["l9"] })
    expect(settlement).toEqual({ retryInMs: 10_000 })
    expect(asked).toEqual([])
  })

  it("accepts unknown fields in a message of its own version", async () => {
    expect(await handle({ ...message, priority: 7 })).toEqual({ settlement: "ack", asked: ["l1 of job-1"] })
  })

  it("dead-letters a message of an unknown job", async () => {
    const { settlement } = await handle(message, async () => "unknown")
    expect(settlement).toEqual({ deadLetter: "unknown job 'job-1'" })
  })

  it("acknowledges a message of the outbox whose job was deleted", async () => {
    const runner = { run: async (): Promise<StageOutcome> => "unknown" }
    const handler = createHandler(runner, createLogger("silent", "test"))
    const id = `${message.job_id}:l1:1`
    expect(await handler({ ...delivery(message), id })).toBe("ack")
    expect(await handler({ ...delivery(message), id: "other-job:l1:1" })).toEqual({ deadLetter: "unknown job 'job-1'" })
  })

  it("retries a message if the store cannot be written", async () => {
    const { settlement } = await handle(message, () => Promise.reject(new Error("locked")))
    expect(settlement).toEqual({ retryInMs: 2_000 })
  })

  it("logs what it rejects, drops and cannot record, and messages of the next version once", async () => {
    const { log, lines } = recordLog()
    const outcomes: (StageOutcome | Error)[] = ["unknown", new Error("locked"), "unknown"]
    const run = async (): Promise<StageOutcome> => {
      const outcome = outcomes.shift()!
      if (outcome instanceof Error) throw outcome
      return outcome
    }
    const handler = createHandler({ run }, log)
    const next = { version: 2 }
    for (const body of [message, message, "{", next, next, null]) await handler(delivery(body))
    await handler({ ...delivery(message), id: "job-1:l1:1" })
    const rejected = { level: "error", stage: "l1", message_id: "m", msg: "message rejected" }
    expect(lines).toEqual([
      { ...rejected, reason: "unknown job 'job-1'" },
      { level: "error", stage: "l1", job_id: "job-1", detail: "locked", msg: "failed to record stage result" },
      { ...rejected, reason: "not JSON" },
      {
        level: "warn",
        stage: "l1",
        msg: "found messages of the next version; leaving them to upgraded workers. Upgrade this worker, too",
      },
      { ...rejected, reason: expect.stringMatching(/^not a stage message: /) },
      { level: "info", stage: "l1", job_id: "job-1", msg: "dropped a message of a deleted job" },
    ])
  })

  it("isolates a stage whose last worker crashed, also after an error", async () => {
    const running: string[] = []
    const release = new Map<string, () => void>()
    const runner = {
      run: async (jobId: string, _stage: string, circumstances?: { alone?: boolean }): Promise<StageOutcome> => {
        running.push(`${jobId}${circumstances?.alone ? " alone" : ""}`)
        await new Promise<void>((resolve) => release.set(jobId, resolve))
        throw new Error("locked")
      },
    }
    const handler = createHandler(runner, createLogger("silent", "test"))
    const handled = [
      handler(delivery({ ...message, job_id: "first" })),
      handler(delivery({ ...message, job_id: "crashed", crashed: true })),
      handler(delivery({ ...message, job_id: "third" })),
    ]
    for (const [i, name] of ["first", "crashed", "third"].entries()) {
      await expect.poll(() => running.length).toBe(i + 1)
      release.get(name)!()
    }
    await Promise.all(handled)
    expect(running).toEqual(["first", "crashed alone", "third"])
  })
})

it("a worker transcribes one recording at a time, and runs several stages of each other kind", async () => {
  const concurrency: Record<string, number> = {}
  const consume: Broker["consume"] = async (stage, _handler, options: ConsumeOptions) => {
    concurrency[stage] = options.concurrency
    return { stop: async () => {} }
  }
  const runner = { run: async () => "done" as const, abort: () => {}, inFlightCount: () => 0, activeAt: () => null }
  const subscriptions = await consumeStages({ consume }, STAGE_NAMES, runner, createLogger("silent", "test"))
  expect(subscriptions).toHaveLength(8)
  const topicStages = { l1: 4, decide: 4, l2: 4, summarize_l1: 4, summarize_l2: 4, l0: 4 }
  expect(concurrency).toEqual({ whisper: 1, ...topicStages, persist: 2 })
})
