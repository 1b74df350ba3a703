import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { MAX_WORD_EDITS } from "../../../domain/constants.ts"
import type { WordEdit } from "../../../domain/transcript/word-edits.ts"
import { finish, newJob, type StoreFixture, type StoreSetup, transcriptOf, tryClaim } from "./fixtures.ts"

const named = (title: string) => ({ title, source_url: null, file_path: null })

export const testWordEdits = (setup: StoreSetup) =>
  describe("word edits", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const clip = async (title: string, text: string): Promise<string> => {
      const id = randomUUID()
      f.clock.advance(1)
      await f.store.clips.saveTranscript(id, named(title), transcriptOf(text))
      return id
    }
    const wordsIn = async (id: string) => (await f.store.clips.get(id))!.transcription.map((w) => w.word).join(" ")

    const dance: WordEdit = { kind: "text", start_s: 2, end_s: 2.5, words: ["dance"] }

    it("applies edits to the transcript, lists them in order and reverts them one by one", async () => {
      const id = await clip("talk", "the bees dunce well")
      const [first] = (await f.store.clips.editWords(id, [dance]))!
      const [second] = (await f.store.clips.editWords(id, [{ kind: "speaker", start_s: 0, end_s: 1, speaker: "1" }]))!
      expect(await wordsIn(id)).toBe("the bees dance well")
      expect((await f.store.clips.get(id))!.voices).toBe(2)
      expect(await f.store.clips.listWordEdits(id)).toEqual([first, second])
      expect(await f.store.clips.removeWordEdit(id, first!.id)).toBe(true)
      expect(await wordsIn(id)).toBe("the bees dunce well")
      expect((await f.store.clips.get(id))!.voices).toBe(2)
      expect(await f.store.clips.removeWordEdit(id, second!.id)).toBe(true)
      expect((await f.store.clips.get(id))!.voices).toBe(1)
      expect(await f.store.clips.removeWordEdit(id, second!.id)).toBe(false)
      expect(await f.store.clips.listWordEdits(id)).toEqual([])
    })
    it("rejects edits over the limit of a clip and keeps the stored ones", async () => {
      const id = await clip("talk", "the bees dunce well")
      const speaker: WordEdit = { kind: "speaker", start_s: 0, end_s: 1, speaker: "1" }
      await f.store.clips.editWords(
        id,
        Array.from({ length: MAX_WORD_EDITS - 1 }, () => speaker),
      )
      await expect(f.store.clips.editWords(id, [dance, speaker])).rejects.toThrow(/has 4999 corrections.*at most 5000/)
      const [last] = (await f.store.clips.editWords(id, [dance]))!
      await expect(f.store.clips.editWords(id, [dance])).rejects.toMatchObject({ code: "invalid" })
      expect(await f.store.clips.listWordEdits(id)).toHaveLength(MAX_WORD_EDITS)
      expect(await wordsIn(id)).toBe("the bees dance well")
      expect(await f.store.clips.removeWordEdit(id, last!.id)).toBe(true)
      expect(await f.store.clips.editWords(id, [dance])).toHaveLength(1)
    })
    it("reapplies edits to a new transcript, except merged speakers", async () => {
      const id = await clip("talk", "the bees dunce well")
      await f.store.clips.editWords(id, [dance, { kind: "merge", from: "0", into: "3" }])
      await f.store.clips.saveTranscript(id, named("talk"), transcriptOf("the bees dunce better"))
      const again = (await f.store.clips.get(id))!
      expect(again.transcription.map((w) => `${w.speaker} ${w.word}`)).toEqual([
        "0 the",
        "0 bees",
        "0 dance",
        "0 better",
      ])
      const [left] = (await f.store.clips.listWordEdits(id))!
      expect(left?.edit).toEqual(dance)
      await f.store.clips.removeWordEdit(id, left!.id)
      expect(await wordsIn(id)).toBe("the bees dunce better")
    })
    it("passes the edited transcript to later stages", async () => {
      const job = newJob()
      await f.store.jobs.submit(job)
      await finish(f.store, job.jobId, "whisper")
      await f.store.clips.editWords(job.sessionId, [{ kind: "text", start_s: 0, end_s: 0.5, words: ["uno"] }])
      const claimed = await tryClaim(f.store, job.jobId, "l1")
      if (!claimed.claim) throw new Error("l1 could not be claimed")
      expect(claimed.job.words?.map((w) => w.word)).toEqual(["uno", "two", "three"])
    })
    it("returns null for an unknown clip and deletes edits with their clip", async () => {
      expect([await f.store.clips.editWords("nobody", [dance]), await f.store.clips.listWordEdits("nobody")]).toEqual([
        null,
        null,
      ])
      const id = await clip("talk", "one two three")
      const [edit] = (await f.store.clips.editWords(id, [dance]))!
      await f.store.clips.delete(id)
      await clip("other", "one two three")
      expect(await f.store.clips.removeWordEdit(id, edit!.id)).toBe(false)
    })
  })
