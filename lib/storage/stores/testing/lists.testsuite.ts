import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { ClipsQuery } from "../../../domain/clips.ts"
import type { JobsQuery } from "../../../domain/jobs/jobs.ts"
import { newJob, type StoreFixture, type StoreSetup, transcriptOf } from "./fixtures.ts"

export const testLists = (setup: StoreSetup) =>
  describe("lists", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const addClip = async (title: string, words: string, changes: object = {}): Promise<string> => {
      const id = randomUUID()
      const clip = { title, source_url: null, file_path: null }
      await f.store.clips.saveTranscript(id, clip, { ...transcriptOf(words), ...changes })
      f.clock.advance(1000)
      return id
    }
    const titlesOf = async (query: Partial<ClipsQuery>) =>
      (await f.store.clips.list({ limit: 50, ...query })).clips.map((clip) => clip.title)
    const jobTitlesOf = async (query: Partial<JobsQuery>) =>
      (await f.store.jobs.list({ limit: 50, ...query })).jobs.map((job) => job.title)

    it("filters clips by words, speaker, language and time", async () => {
      const bees = await addClip("Keeping bees", "we saw the comet over the hives")
      await addClip("Über Kometen", "ein komet", { language: "de" })
      await f.store.clips.update(bees, { speakers: { "0": "Änne", "1": "Bob" } })
      expect(await titlesOf({ q: "comets" })).toEqual(["Keeping bees"])
      expect(await titlesOf({ q: "über" })).toEqual(["Über Kometen"])
      expect(await titlesOf({ q: "comet nothing" })).toEqual([])
      expect(await titlesOf({ q: "…" })).toEqual([])
      expect(await titlesOf({ speaker: "bob" })).toEqual(["Keeping bees"])
      expect(await titlesOf({ speaker: "ÄNNE" })).toEqual(["Keeping bees"])
      expect(await titlesOf({ speaker: "Bo" })).toEqual([])
      expect(await titlesOf({ language: "de" })).toEqual(["Über Kometen"])
      expect(await titlesOf({ q: "comet", speaker: "Bob", language: "de" })).toEqual([])
    })

    it("includes the first and excludes the last moment of a range", async () => {
      const times = []
      for (const title of ["one", "two", "three"]) {
        times.push(new Date(f.clock.now()).toISOString())
        await f.store.jobs.submit(newJob({ title }))
        await addClip(title, "hello")
      }
      const range = { created_after: times[1]!, created_before: times[2]! }
      expect(await titlesOf(range)).toEqual(["two"])
      expect(await jobTitlesOf(range)).toEqual(["two"])
      expect(await jobTitlesOf({ created_before: "1999-12-31" })).toEqual([])
      expect(await jobTitlesOf({ created_after: "1999-12-31T23:00:00-02:00" })).toHaveLength(3)
    })

    it("sorts clips by title, length and time, page by page", async () => {
      for (const [title, words] of [
        ["beta", "a b c"],
        ["Alpha", "a"],
        ["Gamma", "a b"],
        ["gamma", "a b"],
      ] as const)
        await addClip(title, words)
      const pages = async (sort: NonNullable<ClipsQuery["sort"]>) => {
        const titles: string[] = []
        let cursor: string | undefined
        do {
          const page = await f.store.clips.list({ limit: 1, sort, ...(cursor && { cursor }) })
          titles.push(...page.clips.map((clip) => clip.title))
          cursor = page.next_cursor
        } while (cursor)
        return titles
      }
      expect(await pages("created_at")).toEqual(["beta", "Alpha", "Gamma", "gamma"])
      expect(await pages("-created_at")).toEqual(["gamma", "Gamma", "Alpha", "beta"])
      expect((await pages("title")).map((title) => title.toLowerCase())).toEqual(["alpha", "beta", "gamma", "gamma"])
      expect((await pages("-title")).map((title) => title.toLowerCase())).toEqual(["gamma", "gamma", "beta", "alpha"])
      expect((await pages("duration_s"))[0]).toBe("Alpha")
      expect((await pages("-duration_s"))[0]).toBe("beta")
    })

    it("filters jobs by a part of their title and sorts them", async () => {
      for (const title of ["Über Bienen", "Wespen", "über Hornissen"]) {
        await f.store.jobs.submit(newJob({ title }))
        f.clock.advance(1000)
      }
      expect(await jobTitlesOf({ q: "ÜBER" })).toEqual(["über Hornissen", "Über Bienen"])
      expect(await jobTitlesOf({ q: "%" })).toEqual([])
      expect(await jobTitlesOf({ sort: "created_at" })).toEqual(["Über Bienen", "Wespen", "über Hornissen"])
      const { next_cursor } = await f.store.jobs.list({ limit: 2, sort: "created_at" })
      expect(await jobTitlesOf({ sort: "created_at", cursor: next_cursor! })).toEqual(["über Hornissen"])
    })

    it("rejects the cursor of another order", async () => {
      await addClip("one", "a")
      await addClip("two", "a")
      const { next_cursor } = await f.store.clips.list({ limit: 1, sort: "title" })
      for (const sort of ["-title", "duration_s", undefined] as const)
        await expect(
          f.store.clips.list({ limit: 1, cursor: next_cursor!, ...(sort && { sort }) }),
        ).rejects.toMatchObject({ code: "invalid" })
    })
  })
