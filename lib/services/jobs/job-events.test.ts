import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { audioJobRequest } from "../../domain/jobs/jobs.ts"
import { loadConfig } from "../../platform/config/config.ts"
import { createLogger } from "../../platform/logger.ts"
import { type Node, openNode } from "../installation/open-node.ts"
import { type JobEvent, openJobEvents, waitForJob } from "./job-events.ts"
import { cancelJob, retryJob } from "./jobs.ts"
import { submitJob } from "./submit-job.ts"

const dir = mkdtempSync(join(tmpdir(), "earmark-events-"))
const never = new AbortController().signal
let node: Node

beforeAll(async () => {
  const config = loadConfig({ SERVICE_DATA_DIR: dir, SERVICE_PROVIDER: "builtin", SERVICE_MODELS_OFFLINE: "true" })
  node = await openNode(config, createLogger("silent", "test"))
}, 60_000)
afterAll(async () => {
  await node.close()
  rmSync(dir, { recursive: true })
})

const submit = async () =>
  (await submitJob(node, { request: audioJobRequest.parse({ source: "https://example.org/talk.mp3" }) })).job_id

/** Returns the events up to the end. */
const follow = async (job_id: string, lastId?: string): Promise<JobEvent[] | null> => {
  const events = await openJobEvents(node, { job_id, ...(lastId !== undefined && { lastId }) }, never)
  if (events === null) return null
  const all: JobEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

describe("the events of a job", () => {
  it("end, and a client that received the end receives nothing more until the job changes", async () => {
    const job_id = await submit()
    const following = follow(job_id)
    await cancelJob(node, { job_id })
    const events = (await following)!
    const [last, end] = events.slice(-2)
    expect([last!.event, end!.event, end!.data.status]).toEqual(["progress", "end", "cancelled"])
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)

    expect(await follow(job_id, end!.id)).toBeNull()
    expect((await follow(job_id, last!.id))?.map(({ event }) => event)).toEqual(["end"])
    expect((await follow(job_id, "another"))?.map(({ event }) => event)).toEqual(["progress", "end"])

    await retryJob(node, { job_id })
    const again = await openJobEvents(node, { job_id, lastId: end!.id }, never)
    expect((await again!.next()).value).toMatchObject({ event: "progress", data: { status: "queued" } })
    await again!.return(undefined)
  })
})

describe("waiting for a job", () => {
  it("ends with the job, with the time, or when the caller goes", async () => {
    const job_id = await submit()
    const began = Date.now()
    const long = waitForJob(node, { job_id, wait: 60 }, never)
    const gone = waitForJob(node, { job_id, wait: 60 }, AbortSignal.timeout(50))
    expect((await waitForJob(node, { job_id, wait: 0.2 }, never)).status).toBe("queued")
    expect(Date.now() - began).toBeGreaterThanOrEqual(199)
    expect((await gone).status).toBe("queued")
    await cancelJob(node, { job_id })
    expect((await long).status).toBe("cancelled")
    expect((await waitForJob(node, { job_id, wait: 60 }, never)).status).toBe("cancelled")
    expect(Date.now() - began).toBeLessThan(20_000)
  })
  it("rejects an unknown job at once", async () => {
    await expect(waitForJob(node, { job_id: "x", wait: 60 }, never)).rejects.toThrow("unknown job 'x'")
  })
})
