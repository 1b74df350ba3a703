import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { audioJobRequest } from "../../domain/jobs/jobs.ts"
import type { GroupState } from "../../platform/capabilities/types.ts"
import { claim, finish, publishDue } from "../../storage/stores/testing/fixtures.ts"
import { openTestNode, submittedJob, type TestNode } from "../testing/open-test-node.ts"
import { dropDeadLetters, listDeadLetters, requeueDeadLetters } from "./dead-letters.ts"
import { openJobEvents } from "./job-events.ts"
import { cancelJob, getJob, getJobResult, listJobs, retryJob } from "./jobs.ts"
import { submitJob } from "./submit-job.ts"

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
afterAll(() => node.end())

const MISSING: GroupState = { state: "missing", detail: "its package is missing.", install: "npm i" }
const notFound = { status: 404, message: "unknown job 'x'" }
const submit = (source: string, options: object = {}, isLanguageGiven?: boolean) =>
  submitJob(node, {
    request: audioJobRequest.parse({ source, ...options }),
    ...(isLanguageGiven !== undefined && { isLanguageGiven }),
  })
const finishJob = async (job_id: string) => {
  await finish(node.store, job_id, "whisper", "l1", "decide", "summarize_l1", "l2", "summarize_l2", "l0", "persist")
}

describe("submitJob", () => {
  it("stores the source with its options", async () => {
    const { job_id, session_id } = await submit(node.at("talk.wav"), { speakers: 3, language: "de" }, true)
    const { job } = await submittedJob(node.store, job_id)
    expect(job).toMatchObject({
      sessionId: session_id,
      title: "talk.wav",
      source: { kind: "file", path: node.at("talk.wav") },
      options: { title: "talk.wav", speakers: 3, language: "de", is_language_given: true },
    })
    expect(job.options).not.toHaveProperty("source")
  })

  it.each([
    [{ title: "A  talk\u202e" }, "A talk"],
    [{ title: "x".repeat(500) }, "x".repeat(500)],
  ])("cleans the title %j", async (options, title) => {
    const { job_id } = await submit(node.at("talk.wav"), options)
    expect((await submittedJob(node.store, job_id)).job).toMatchObject({ title, options: { is_language_given: false } })
  })

  it("limits the title that a file name gives, and never leaves it empty", async () => {
    const titleOf = async (name: string) => {
      const { job_id } = await submit(node.at(name))
      return (await getJob(node, { job_id })).title
    }
    expect(await titleOf("x".repeat(600))).toBe("x".repeat(500))
    expect(await titleOf("\u202e")).toBe("Untitled")
  })

  it("refuses a URL of this machine, unless its words are supplied, and a path outside the permitted folders", async () => {
    const url = "http://127.0.0.1/talk.mp3"
    await expect(submit(url)).rejects.toThrow(/127\.0\.0\.1/)
    await expect(submit("/etc/passwd")).rejects.toMatchObject({ code: "forbidden" })
    const transcription = [{ word: "hello", start: 0, end: 1, speaker: "0" }]
    const { job_id } = await submit(url, { transcription })
    const { job } = await submittedJob(node.store, job_id)
    expect(job.source).toEqual({ kind: "url", url })
    expect(JSON.stringify(job.given)).toContain("hello")
    expect(
      (await submittedJob(node.store, (await submit("/etc/passwd", { transcription })).job_id)).job.source,
    ).toEqual({
      kind: "name",
      name: "passwd",
    })
  })

  it("refuses an upload that does not exist, however it is named, unless its words are supplied", async () => {
    for (const source of [
      "upload:",
      "upload:https://a.example/uploads/1",
      "upload:01a2078d-2b9f-705f-b9c1-64b7eba13169",
    ])
      await expect(submit(source), source).rejects.toMatchObject({
        code: "not_found",
        message: expect.stringMatching(/^unknown upload/),
      })
    const transcription = [{ word: "hello", start: 0, end: 1, speaker: "0" }]
    const { job_id } = await submit("upload:my talk", { transcription })
    expect((await submittedJob(node.store, job_id)).job.source).toEqual({ kind: "name", name: "upload:my talk" })
  })

  it("identifies an upload by its bytes, whatever its name", async () => {
    const sha256 = "cd".repeat(32)
    const upload = (name: string) => ({ path: `/elsewhere/${name}`, name, sha256 })
    const request = audioJobRequest.parse({ source: "ignored" })
    const first = await submitJob(node, { request, upload: upload("a.wav") })
    const second = await submitJob(node, { request, upload: upload("b.wav") })
    expect(first.session_id).toBe(second.session_id)
    expect((await submittedJob(node.store, second.job_id)).job).toMatchObject({
      title: "b.wav",
      source: { kind: "upload", path: "/elsewhere/b.wav", name: "b.wav" },
    })
  })

  it("needs the database and the queue", async () => {
    for (const group of ["rag", "broker"] as const) {
      const deps = { ...node, groups: { ...node.groups, [group]: MISSING } }
      const request = audioJobRequest.parse({ source: node.at("talk.wav") })
      await expect(submitJob(deps, { request })).rejects.toThrow(new RegExp(`group '${group}'`))
      await expect(retryJob(deps, { job_id: "x" })).rejects.toThrow(new RegExp(`group '${group}'`))
    }
  })
})

describe("a job", () => {
  it("is found, listed, cancelled and retried by its ID", async () => {
    const { job_id, session_id } = await submit(node.at("talk.wav"))
    expect(await getJob(node, { job_id })).toMatchObject({ job_id, status: "queued" })
    expect((await listJobs(node, { limit: 1 })).jobs.map((job) => job.job_id)).toEqual([job_id])
    expect(await cancelJob(node, { job_id })).toMatchObject({ job_id, status: "cancelled" })
    await expect(cancelJob(node, { job_id })).rejects.toMatchObject({ status: 409 })
    expect(await retryJob(node, { job_id })).toEqual({ job_id, session_id })
    expect(await getJob(node, { job_id })).toMatchObject({ status: "queued", attempts: 2 })
    for (const use of [getJob, getJobResult, cancelJob, retryJob])
      await expect(use(node, { job_id: "x" })).rejects.toMatchObject(notFound)
  })

  it("has a result once it is done", async () => {
    const { job_id, session_id } = await submit(node.at("talk.wav"))
    await expect(getJobResult(node, { job_id })).rejects.toMatchObject({
      status: 409,
      message: `job '${job_id}' is queued, not done`,
    })
    await finishJob(job_id)
    const result = await getJobResult(node, { job_id })
    expect(result).toMatchObject({ job_id, session_id, status: "done", clip: { id: session_id, title: "talk.wav" } })
  })

  it("has the result of the recording that its source turned out to be", async () => {
    const { job_id, session_id } = await submit(node.at("talk.wav"))
    const moved = "fa678091-b771-53c5-bb5c-b97259498be6"
    const first = await claim(node.store, job_id, "whisper")
    await node.store.stages.complete(first, {
      stage: "whisper",
      output: { kind: "moved", session_id: moved, file_path: node.at("real.wav") },
    })
    await publishDue(node.store)
    await finishJob(job_id)
    expect(await getJobResult(node, { job_id })).toMatchObject({ session_id, clip: { id: moved } })
  })
})

describe("openJobEvents", () => {
  const open = async (job_id: string, signal = new AbortController().signal) =>
    (await openJobEvents(node, { job_id }, signal))!
  it("streams each state of a job until it has ended", async () => {
    const { job_id } = await submit(node.at("talk.wav"))
    const events: string[] = []
    for await (const { event, data } of await open(job_id)) {
      events.push(`${event} ${data.status}`)
      if (events.length === 1) await cancelJob(node, { job_id })
    }
    expect(events).toEqual(["progress queued", "progress cancelled", "end cancelled"])
    const again: string[] = []
    for await (const { event } of await open(job_id)) again.push(event)
    expect(again).toEqual(["progress", "end"])
  })

  it("ends when the client disconnects, before or while it waits", async () => {
    const { job_id } = await submit(node.at("talk.wav"))
    const leaving = new AbortController()
    const events = await open(job_id, leaving.signal)
    expect((await events.next()).value).toMatchObject({ event: "progress" })
    const waiting = events.next()
    leaving.abort()
    expect((await waiting).done).toBe(true)
    const late = await open(job_id, AbortSignal.abort())
    await late.next()
    expect((await late.next()).done).toBe(true)
    await expect(openJobEvents(node, { job_id: "x" }, leaving.signal)).rejects.toMatchObject(notFound)
  })

  it("are limited in number, and a client that disconnects frees its place", async () => {
    const { job_id } = await submit(node.at("talk.wav"))
    const openOne = (signal?: AbortSignal) => open(job_id, signal)
    const clients = Array.from({ length: 500 }, () => new AbortController())
    await Promise.all(clients.map(({ signal }) => openOne(signal)))
    await expect(openOne()).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/^500 event streams and waiting requests/),
    })
    for (const client of clients) client.abort()
    const events = await openOne()
    await events.next()
    await events.return(undefined)
  })
})

describe("dead letters", () => {
  it("are listed, requeued and dropped", async () => {
    const bury = async () => {
      await node.broker!.publish([{ stage: "l1", id: `m${Math.random()}`, body: "{" }])
      await new Promise<void>((resolve, reject) => {
        const subscribed = node.broker!.consume(
          "l1",
          async () => {
            void subscribed.then((subscription) => subscription.stop({ drainMs: 1000 })).then(resolve, reject)
            return { deadLetter: "not a message" }
          },
          { concurrency: 1 },
        )
      })
    }
    await bury()
    expect(await listDeadLetters(node, { limit: 5 })).toMatchObject([{ stage: "l1", reason: "not a message" }])
    expect(await requeueDeadLetters(node, { stage: "whisper" })).toBe(0)
    expect(await requeueDeadLetters(node, {})).toBe(1)
    expect([await listDeadLetters(node, { limit: 5 }), (await node.broker!.stats()).l1.waiting]).toEqual([[], 1])
    await bury()
    expect(await dropDeadLetters(node, { stage: "l1" })).toBeGreaterThan(0)
    expect(await listDeadLetters(node, { limit: 5 })).toEqual([])
  })

  it("need a queue, which needs a database", async () => {
    const list = (groups: Partial<TestNode["groups"]>) => () =>
      listDeadLetters({ broker: null, groups: { ...node.groups, ...groups } }, { limit: 5 })
    expect(list({ broker: MISSING })).toThrow(/group 'broker'/)
    expect(list({ rag: MISSING, broker: MISSING })).toThrow(/group 'rag'/)
  })
})
