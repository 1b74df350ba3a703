import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { jobOptions } from "../../../domain/jobs/jobs.ts"
import type { StoredLine } from "../../../domain/summaries.ts"
import type { MadeSummary, SummaryClaim } from "../ports/summaries.ts"
import { finish, newJob, type StoreFixture, type StoreSetup, topicsOf, transcriptOf } from "./fixtures.ts"

const LEASE_MS = 60_000
const AUTO = { provider: "auto" as const, llm_model: undefined }
const line = (changes: Partial<StoredLine> = {}): StoredLine => ({
  section: null,
  text: "Send the minutes.",
  detail: null,
  start_s: 1,
  end_s: 2,
  speaker: "0",
  ownerSpeaker: "0",
  owner: null,
  due: "by Friday",
  ...changes,
})

export const testSummaries = (setup: StoreSetup) =>
  describe("summaries", () => {
    let f: StoreFixture
    let clipId: string
    beforeEach(async () => {
      f = await setup()
      clipId = randomUUID()
      await saveClip()
    })
    afterEach(() => f.teardown())

    const named = { title: "Talk", source_url: null, file_path: null }
    const saveClip = () => f.store.clips.saveTranscript(clipId, named, transcriptOf("I will send the minutes"))
    const claim = async (owner = "worker") => (await f.store.summaries.claimDue({ owner, leaseMs: LEASE_MS }))!
    const made = async (lines: readonly StoredLine[] = [line()]): Promise<MadeSummary> => {
      const { transcript, topics } = (await f.store.clips.getVersion(clipId))!
      return { lines, dropped: 1, provider: "builtin", model: null, made_from: { transcript, topics } }
    }
    const complete = async (held: SummaryClaim, lines?: readonly StoredLine[]) =>
      f.store.summaries.complete(held, await made(lines))
    const make = async (template: string) => {
      await f.store.summaries.request(clipId, template, AUTO)
      expect(await complete(await claim())).toBe(true)
    }

    it("have templates of Earmark and own ones by name, which can run after every job", async () => {
      const names = async () => (await f.store.summaries.listTemplates()).map(({ name }) => name)
      expect(await names()).toEqual(["Action items", "Decisions", "Minutes", "Chapters for show notes"])
      const own = await f.store.summaries.createTemplate({
        id: "b",
        name: "Zoo",
        prompt: "List animals.",
        after_jobs: false,
      })
      expect(own).toMatchObject({ kind: "prompt", prompt: "List animals.", is_own: true, needs_model: true })
      await f.store.summaries.createTemplate({ id: "a", name: "Bees", prompt: "List bees.", after_jobs: true })
      expect((await names()).slice(4)).toEqual(["Bees", "Zoo"])
      expect(await f.store.summaries.updateTemplate("a", { name: "zebras" })).toMatchObject({
        name: "zebras",
        after_jobs: true,
      })
      expect((await names()).slice(4)).toEqual(["zebras", "Zoo"])
      expect(await f.store.summaries.updateTemplate("decisions", { after_jobs: true })).toMatchObject({
        after_jobs: true,
      })
      expect((await f.store.summaries.listTemplates()).map(({ after_jobs }) => after_jobs)).toEqual([
        false,
        true,
        false,
        false,
        true,
        false,
      ])
      for (const [change, code] of [
        [() => f.store.summaries.createTemplate({ id: "c", name: "ZOO", prompt: "x", after_jobs: false }), "conflict"],
        [
          () => f.store.summaries.createTemplate({ id: "c", name: "minutes", prompt: "x", after_jobs: false }),
          "conflict",
        ],
        [() => f.store.summaries.updateTemplate("a", { name: "Zoo" }), "conflict"],
        [() => f.store.summaries.updateTemplate("minutes", { prompt: "x" }), "invalid"],
        [() => f.store.summaries.deleteTemplate("minutes"), "conflict"],
      ] as const)
        await expect(change()).rejects.toMatchObject({ code })
      expect(await f.store.summaries.updateTemplate("c", { name: "x" })).toBeNull()
      expect([await f.store.summaries.deleteTemplate("a"), await f.store.summaries.deleteTemplate("a")]).toEqual([
        true,
        false,
      ])
    })

    it("are queued, claimed once, and done with the names that speakers have now", async () => {
      expect(await f.store.summaries.request(randomUUID(), "minutes", AUTO)).toBeNull()
      await expect(f.store.summaries.request(clipId, "unknown", AUTO)).rejects.toMatchObject({ code: "not_found" })
      expect(await f.store.summaries.hasDue()).toBe(false)
      const queued = await f.store.summaries.request(clipId, "action-items", AUTO)
      expect(queued).toMatchObject({ state: "queued", lines: [], provider: null, name: "Action items" })
      expect(await f.store.summaries.hasDue()).toBe(true)
      const held = await claim()
      expect(held).toMatchObject({ clipId, kind: "action_items", prompt: null, tries: 1 })
      expect(await f.store.summaries.hasDue()).toBe(false)
      expect(await claim("other")).toBeNull()
      expect(await f.store.summaries.renew(held, LEASE_MS, { done: 1, total: 3 })).toBe(true)
      expect(await f.store.summaries.get(clipId, "action-items")).toMatchObject({
        state: "running",
        progress: { done: 1, total: 3 },
      })
      expect(await complete(held)).toBe(true)
      expect(await complete(held)).toBe(false)
      await f.store.clips.update(clipId, { speakers: { "0": "Ada" } })
      const summary = (await f.store.summaries.get(clipId, "action-items"))!
      expect(summary).toMatchObject({ state: "done", progress: null, provider: "builtin", dropped: 1, outdated: [] })
      expect(summary.lines).toEqual([
        {
          section: null,
          text: "Send the minutes.",
          detail: null,
          start_s: 1,
          end_s: 2,
          speaker: "Ada",
          owner: "Ada",
          due: "by Friday",
        },
      ])
    })

    it("are made again by another worker when the lease of the first has expired, at most three times", async () => {
      await f.store.summaries.request(clipId, "minutes", AUTO)
      const first = await claim()
      f.clock.advance(LEASE_MS)
      const second = await claim("other")
      expect(second).toMatchObject({ attempt: 2, tries: 2 })
      expect(await complete(first)).toBe(false)
      expect(await f.store.summaries.renew(first, LEASE_MS, null)).toBe(false)
      f.clock.advance(LEASE_MS)
      await claim()
      f.clock.advance(LEASE_MS)
      expect(await claim()).toBeNull()
      expect(await f.store.summaries.get(clipId, "minutes")).toMatchObject({
        state: "error",
        error: expect.stringMatching(/ended during 3 attempts/),
      })
    })

    it("wait after a failure that may pass, keep their lines while they run again, and show the reason", async () => {
      await make("decisions")
      await f.store.summaries.request(clipId, "decisions", AUTO)
      const held = await claim()
      expect(await f.store.summaries.fail(held, { error: "No server.", retryInMs: 1000 })).toBe(true)
      expect(await f.store.summaries.get(clipId, "decisions")).toMatchObject({ state: "queued", error: "No server." })
      expect(await claim()).toBeNull()
      f.clock.advance(1000)
      const again = await claim()
      expect(again.tries).toBe(2)
      await f.store.summaries.fail(again, { error: "No model.", retryInMs: null })
      const failed = (await f.store.summaries.get(clipId, "decisions"))!
      expect(failed).toMatchObject({ state: "error", error: "No model." })
      expect(failed.lines).toHaveLength(1)
      // A new request counts its attempts anew, and the claim before it no longer holds.
      await f.store.summaries.request(clipId, "decisions", AUTO)
      const last = await claim()
      expect(last.tries).toBe(1)
      await f.store.summaries.request(clipId, "decisions", AUTO)
      expect(await complete(last)).toBe(false)
    })

    it("are out of date after a change of the transcript, of topics that they use, and of their prompt", async () => {
      await f.store.topics.save(clipId, topicsOf("one"))
      await f.store.summaries.createTemplate({ id: "own", name: "Own", prompt: "One.", after_jobs: false })
      for (const template of ["action-items", "chapters", "own"]) await make(template)
      const outdated = async () =>
        (await f.store.summaries.list(clipId))!
          .toSorted((a, b) => a.template_id.localeCompare(b.template_id))
          .map((summary) => summary.outdated.join())
      expect(await outdated()).toEqual(["", "", ""])
      await f.store.topics.save(clipId, topicsOf("two"))
      expect(await outdated()).toEqual(["", "topics", ""])
      await f.store.summaries.updateTemplate("own", { name: "Renamed" })
      expect(await outdated()).toEqual(["", "topics", ""])
      await f.store.summaries.updateTemplate("own", { prompt: "Two." })
      expect(await outdated()).toEqual(["", "topics", "template"])
      await saveClip()
      expect(await outdated()).toEqual(["transcript", "transcript,topics", "transcript,template"])
      await f.store.summaries.deleteTemplate("own")
      expect((await outdated())[2]).toBe("transcript")
      expect(await f.store.summaries.list(randomUUID())).toBeNull()
    })

    it("are requested after a job: those that it names, or those that run after every job", async () => {
      await f.store.summaries.updateTemplate("decisions", { after_jobs: true })
      const run = async (summaries?: string[]) => {
        const options = jobOptions.parse({ provider: "builtin", ...(summaries && { summaries }) })
        const job = newJob({ options })
        await f.store.jobs.submit(job)
        await finish(
          f.store,
          job.jobId,
          "whisper",
          "l1",
          "decide",
          "l2",
          "summarize_l1",
          "summarize_l2",
          "l0",
          "persist",
        )
        return (await f.store.summaries.list(job.sessionId))!.map(({ template_id, state }) => `${template_id} ${state}`)
      }
      expect(await run()).toEqual(["decisions queued"])
      expect(await run(["minutes", "chapters", "gone"])).toEqual(["chapters queued", "minutes queued"])
      expect(await run([])).toEqual([])
    })

    it("are deleted, also while they are made, and with their clip", async () => {
      await f.store.summaries.request(clipId, "minutes", AUTO)
      const held = await claim()
      expect(await f.store.summaries.delete(clipId, "minutes")).toBe(true)
      expect(await f.store.summaries.delete(clipId, "minutes")).toBe(false)
      expect(await complete(held)).toBe(false)
      await make("chapters")
      await f.store.clips.delete(clipId)
      expect(await f.store.summaries.get(clipId, "chapters")).toBeNull()
    })
  })
