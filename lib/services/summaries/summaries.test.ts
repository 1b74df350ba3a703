import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startSummaries } from "#worker/summaries.ts"
import { AppError } from "../../domain/errors.ts"
import type { Summarizer } from "../../engines/language/types.ts"
import { wordsOf } from "../../storage/stores/testing/fixtures.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { makeSummary } from "./make-summary.ts"
import { deleteSummary, getSummary, listSummaries, makeSummaryNow, requestSummary } from "./summaries.ts"
import { createTemplate, deleteTemplate, editTemplate, listTemplates } from "./templates.ts"

let node: TestNode
const signal = new AbortController().signal
const SAID = "I will send the minutes to everybody by Friday. We decided to use rubber for the case."
const ask = (template_id: string) => ({ template_id, provider: "builtin" as const, llm_model: undefined })

beforeAll(async () => {
  node = await openTestNode()
})
beforeEach(async () => {
  await node.store.clips.delete("a")
  await node.addClip("a", { words: wordsOf(SAID) })
})
afterAll(() => node.end())

/** Makes the requested summary with an engine. */
const makeWith = async (fillIn: Summarizer["fillIn"], stopping = signal) => {
  const claim = await node.store.summaries.claimDue({ owner: "worker", leaseMs: 60_000 })
  const getSummarizer = async () => ({ provider: "openai" as const, model: "tiny", fillIn })
  await makeSummary({ ...node, log: node.log, engines: { ...node.engines, getSummarizer } }, claim!, stopping)
}

describe("summaries", () => {
  it("of the builtin engine have action items, decisions, chapters and minutes with their seconds", async () => {
    const lines = async (template: string) =>
      (await makeSummaryNow(node, { id: "a" }, ask(template), signal)).lines.map(({ section, text, start_s, due }) => ({
        section,
        text,
        start_s,
        due,
      }))
    expect(await lines("action-items")).toEqual([
      { section: null, text: "I will send the minutes to everybody by Friday.", start_s: 0, due: "by Friday" },
    ])
    expect(await lines("decisions")).toMatchObject([{ text: "We decided to use rubber for the case.", start_s: 9 }])
    expect(await lines("chapters")).toMatchObject([
      { text: "a one", start_s: 0 },
      { text: "a two", start_s: 60 },
    ])
    expect((await lines("minutes")).map(({ section }) => section)).toEqual([
      "a one",
      "a two",
      "Decisions",
      "Action items",
    ])
    expect((await listSummaries(node, { id: "a" })).summaries).toHaveLength(4)
  })

  it("in other languages than English need a language model", async () => {
    const german = "Ich werde das Protokoll bis Freitag an alle schicken und wir haben das so beschlossen. ".repeat(6)
    await node.store.clips.delete("a")
    await node.addClip("a", { words: wordsOf(german.trim()) })
    await expect(makeSummaryNow(node, { id: "a" }, ask("decisions"), signal)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^Cue words are known for English only/),
    })
    expect(await getSummary(node, { id: "a", template_id: "decisions" })).toMatchObject({ state: "error", lines: [] })
  })

  it("from an own prompt need a language model", async () => {
    const own = await createTemplate(node, { name: "Questions", prompt: "List questions.", after_jobs: false })
    await expect(requestSummary(node, { id: "a" }, ask(own.id))).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^The template 'Questions' needs a language model/),
    })
    expect((await editTemplate(node, { id: own.id }, { after_jobs: true })).after_jobs).toBe(true)
    await deleteTemplate(node, { id: own.id })
    expect((await listTemplates(node)).templates).toHaveLength(4)
    for (const call of [
      () => deleteTemplate(node, { id: own.id }),
      () => editTemplate(node, { id: own.id }, { after_jobs: true }),
      () => requestSummary(node, { id: "a" }, { ...ask(own.id), provider: "ollama" }),
      () => requestSummary(node, { id: "nobody" }, ask("minutes")),
      () => getSummary(node, { id: "a", template_id: "minutes" }),
      () => deleteSummary(node, { id: "a", template_id: "minutes" }),
    ])
      await expect(call()).rejects.toMatchObject({ code: "not_found" })
  })

  it("are tried again after a failure that may pass, and record one that does not", async () => {
    await requestSummary(node, { id: "a" }, ask("decisions"))
    await makeWith(async () => {
      throw new AppError("unavailable", "The server does not answer.", { retry: "retry" })
    })
    const read = () => getSummary(node, { id: "a", template_id: "decisions" })
    expect(await read()).toMatchObject({ state: "queued", error: "The server does not answer." })
    await requestSummary(node, { id: "a" }, ask("decisions"))
    await makeWith(async () => {
      throw new AppError("unavailable", "model not available: 'x'")
    })
    expect(await read()).toMatchObject({ state: "error", error: "model not available: 'x'" })
  })

  it("end when they are requested again, and return to the queue when the worker stops", async () => {
    await requestSummary(node, { id: "a" }, ask("decisions"))
    await makeWith(async (_, { signal: own, onProgress }) => {
      await requestSummary(node, { id: "a" }, ask("decisions"))
      onProgress?.(1, 2)
      await new Promise((resolve) => own.addEventListener("abort", resolve))
      throw own.reason
    })
    const read = () => getSummary(node, { id: "a", template_id: "decisions" })
    expect(await read()).toMatchObject({ state: "queued", error: null })
    const stopping = new AbortController()
    await makeWith(async (_, { signal: own }) => {
      stopping.abort()
      throw own.reason
    }, stopping.signal)
    expect(await read()).toMatchObject({ state: "queued" })
    await deleteSummary(node, { id: "a", template_id: "decisions" })
  })

  it("that were requested are made by a worker", async () => {
    await requestSummary(node, { id: "a" }, ask("decisions"))
    await requestSummary(node, { id: "a" }, ask("chapters"))
    const made: string[] = []
    let finish = () => {}
    const bothMade = new Promise<void>((resolve) => {
      finish = resolve
    })
    const worker = startSummaries({
      store: node.store.summaries,
      owner: "worker",
      log: node.log,
      make: async (claim, stopping) => {
        await makeSummary(node, claim, stopping)
        if (made.push(claim.templateId) === 2) finish()
      },
    })
    await bothMade
    await worker.stop()
    expect(made.toSorted()).toEqual(["chapters", "decisions"])
    expect((await listSummaries(node, { id: "a" })).summaries.map(({ state }) => state)).toEqual(["done", "done"])
  })
})
