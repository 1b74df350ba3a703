import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { MAX_TURNS } from "../../../domain/threads.ts"
import type { NewTurn } from "../ports/threads.ts"
import type { StoreFixture, StoreSetup } from "./fixtures.ts"

export const turnOf = (question: string, changes: Partial<NewTurn> = {}): NewTurn => ({
  question,
  rewritten_question: null,
  scope: "all",
  filter: null,
  state: "done",
  answer: `${question} Yes. [1]`,
  error: null,
  sources: [{ chunk: { id: "d:0", doc_id: "d", text: "Yes.", metadata: { source: "/d.md" } }, score: 1 }],
  citations: [{ source: 1 }],
  found: null,
  searched: { recordings: 1, documents: 1, chunks: 3 },
  provider: "builtin",
  model: null,
  ...changes,
})

export const testThreads = (setup: StoreSetup) =>
  describe("threads", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const create = async (title: string, id: string = randomUUID()) => {
      f.clock.advance(1)
      return f.store.threads.create({ id, title })
    }
    const ask = async (id: string, question: string, changes: Partial<NewTurn> = {}) => {
      f.clock.advance(1)
      return f.store.threads.addTurn(id, turnOf(question, changes))
    }
    const titlesOf = async (query: object = {}) =>
      (await f.store.threads.list({ limit: 50, ...query })).threads.map(({ title }) => title)

    it("keep questions and answers in their order", async () => {
      const { id, questions } = await create("Masts")
      expect(questions).toBe(0)
      expect(await ask(id, "What is the mast of?", { filter: { tags: ["boat"] }, rewritten_question: "Whole?" })).toBe(
        1,
      )
      expect(await ask(id, "And the sail?")).toBe(2)
      const thread = await f.store.threads.get(id)
      expect(thread).toMatchObject({ title: "Masts", questions: 2 })
      expect(thread!.turns.map(({ number, question }) => [number, question])).toEqual([
        [1, "What is the mast of?"],
        [2, "And the sail?"],
      ])
      const { created_at, number, ...stored } = thread!.turns[0]!
      expect(stored).toEqual(
        turnOf("What is the mast of?", { filter: { tags: ["boat"] }, rewritten_question: "Whole?" }),
      )
      expect(Date.parse(created_at)).toBe(f.clock.now() - 1)
      expect(await f.store.threads.get("unknown")).toBeNull()
      expect(await ask("unknown", "Who?")).toBeNull()
    })

    it("are created once for each ID", async () => {
      const first = await create("First", "t")
      expect(await create("Second", "t")).toEqual(first)
      await ask("t", "Why?")
      expect(await create("Second", "t")).toMatchObject({ title: "First", questions: 1 })
    })

    it("list what a follow-up may refer to: the last answered questions", async () => {
      const { id } = await create("Talk")
      expect(await f.store.threads.listPast(id, 2)).toEqual([])
      for (const question of ["One?", "Two?"]) await ask(id, question, { rewritten_question: `Whole ${question}` })
      await ask(id, "Three?", { state: "stopped" })
      expect(await f.store.threads.listPast(id, 2)).toEqual([
        { question: "Two?", rewritten_question: "Whole Two?", answer: "Two? Yes. [1]" },
      ])
      expect((await f.store.threads.listPast(id, 9))!.map(({ question }) => question)).toEqual(["One?", "Two?"])
      expect(await f.store.threads.listPast("unknown", 2)).toBeNull()
    })

    it("replace the last question if it was not answered and is asked again", async () => {
      const { id } = await create("Talk")
      await ask(id, "One?", { state: "failed", error: "The server went away." })
      expect(await ask(id, "One?")).toBe(2)
      expect(await ask(id, "One?")).toBe(3)
      await ask(id, "Two?", { state: "stopped" })
      await ask(id, "Three?")
      const { turns } = (await f.store.threads.get(id))!
      expect(turns.map(({ number, question, state }) => [number, question, state])).toEqual([
        [2, "One?", "done"],
        [3, "One?", "done"],
        [4, "Two?", "stopped"],
        [5, "Three?", "done"],
      ])
    })

    it("are listed by their last question, page by page, and found by title and question", async () => {
      const { id } = await create("Masts")
      await create("Sails 100 %")
      await create("Hulls")
      await ask(id, "Of what is it made: SPRUCE?")
      expect(await titlesOf()).toEqual(["Masts", "Hulls", "Sails 100 %"])
      const first = await f.store.threads.list({ limit: 2 })
      expect(await titlesOf({ cursor: first.next_cursor })).toEqual(["Sails 100 %"])
      expect(await titlesOf({ q: "spruce" })).toEqual(["Masts"])
      expect(await titlesOf({ q: "HULL" })).toEqual(["Hulls"])
      expect(await titlesOf({ q: "%" })).toEqual(["Sails 100 %"])
      expect(await titlesOf({ q: "yes" })).toEqual([])
    })

    it("are renamed and deleted by version", async () => {
      const { id, etag } = await create("Masts")
      const renamed = (await f.store.threads.update(id, { title: "Spars" }, [etag]))!
      expect(renamed).toMatchObject({ title: "Spars" })
      expect(renamed.etag).not.toBe(etag)
      const outdated = { code: "precondition_failed", fields: { etag: renamed.etag } }
      await expect(f.store.threads.update(id, { title: "Mast" }, [etag])).rejects.toMatchObject(outdated)
      await expect(f.store.threads.delete(id, [etag])).rejects.toMatchObject(outdated)
      await ask(id, "Why?")
      await expect(f.store.threads.delete(id, [renamed.etag])).rejects.toMatchObject({ code: "precondition_failed" })
      expect(await f.store.threads.delete(id, "*")).toBe(true)
      expect(await f.store.threads.delete(id)).toBe(false)
      expect(await f.store.threads.update(id, { title: "x" })).toBeNull()
      expect(await f.store.threads.get(id)).toBeNull()
    })

    it("have a maximum of questions", async () => {
      const { id } = await create("Long")
      for (let n = 0; n < MAX_TURNS; n++) await f.store.threads.addTurn(id, turnOf(`${n}?`))
      await expect(ask(id, "More?")).rejects.toMatchObject({ code: "conflict" })
    })
  })
