import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { MAX_VOCABULARY } from "../domain/vocabulary.ts"
import { wordsOf } from "../storage/stores/testing/fixtures.ts"
import { type Api, createLocalApi } from "./local-api.ts"
import { openTestNode, submittedJob, type TestNode } from "./testing/open-test-node.ts"

let node: TestNode
let api: Api
beforeAll(async () => {
  node = await openTestNode({ SERVICE_WEBHOOK_ALLOW: "127.0.0.1" })
  api = createLocalApi(node)
})
beforeEach(async () => {
  await node.store.clips.delete("a")
  await node.addClip("a", { words: wordsOf("bees dance for honey") })
})
afterAll(() => node.end())

const notFound = { code: "not_found" }

describe("the API in this process", () => {
  it("lists, edits, exports and deletes clips", async () => {
    expect((await api.clips()).clips.map(({ id }) => id)).toEqual(["a"])
    expect((await api.clips({ limit: 1, q: "nothing of this name" })).clips).toEqual([])
    expect((await api.editClip("a", { title: "Bees" })).title).toBe("Bees")
    expect((await api.clip("a")).title).toBe("Bees")
    expect(await api.exportClip("a", "srt")).toMatch(/ --> .*\nbees dance\n/)
    await api.deleteClip("a")
    await expect(api.clip("a")).rejects.toMatchObject(notFound)
  })

  it("edits topics", async () => {
    const titleOf = ({ tree }: Awaited<ReturnType<Api["topics"]>>) => tree.topics[0]!.children[0]!.title
    expect(titleOf(await api.editTopic("a", "1.1", { title: "First" }))).toBe("First")
    const { edits } = await api.topics("a")
    expect(titleOf(await api.removeTopicEdit("a", edits[0]!.id))).toBe("a one")
    await api.editTopic("a", "1.1", { title: "Again" })
    expect(titleOf(await api.resetTopic("a", "1.1"))).toBe("a one")
    expect((await api.topicRuns("a")).runs).toHaveLength(1)
    await expect(api.editTopic("a", "first", { title: "x" })).rejects.toMatchObject({ code: "invalid" })
    await expect(api.resetTopic("a", "first")).rejects.toMatchObject({ code: "invalid" })
  })

  it("finds a text in transcripts, and replaces the hits of a preview together", async () => {
    await node.addClip("b", { words: wordsOf("Bees and honeybees") })
    const what = { find: " bees ", replace_with: "wasps" }
    const first = await api.previewReplacement({ ...what, limit: 1 })
    const rest = await api.previewReplacement({ ...what, limit: 1, cursor: first.next_cursor })
    expect([first.total, first.searched, rest.next_cursor]).toEqual([2, 1, undefined])
    const hits = [...first.clips, ...rest.clips].flatMap((clip) => clip.hits)
    const hitIn = (id: string) => hits.find(({ clip_id }) => clip_id === id)!
    expect(hitIn("a")).toEqual({
      clip_id: "a",
      start_s: 0,
      end_s: 0.5,
      speaker: "0",
      text: "bees",
      replacement: "wasps",
      before: "",
      after: "dance for honey",
    })
    const { id } = await api.replace({ ...what, hits: [hitIn("b")] })
    expect((await api.replacements()).replacements).toMatchObject([{ id, find: "bees", edits: 1, clips: 1 }])
    const again = await api.replace({ ...what, hits, replacement_id: id })
    expect(again).toEqual({
      id,
      edits: 1,
      clips: 1,
      skipped: [{ clip_id: "b", start_s: 0, text: "Bees", reason: "changed" }],
    })
    const textOf = async (clip: string) => (await api.clip(clip)).transcription.map(({ word }) => word).join(" ")
    expect([await textOf("a"), await textOf("b")]).toEqual(["wasps dance for honey", "Wasps and honeybees"])
    const parts = await api.previewReplacement({ ...what, clip_id: "b", whole_words: false })
    expect(parts.clips[0]).toMatchObject({ total: 1, hits: [{ text: "honeybees", replacement: "honeywasps" }] })
    expect(await api.undoReplacement(id)).toEqual({ edits: 2, clips: 2 })
    expect([await textOf("a"), await textOf("b")]).toEqual(["bees dance for honey", "Bees and honeybees"])
    await expect(api.undoReplacement("unknown")).rejects.toMatchObject(notFound)
    await expect(api.previewReplacement({ ...what, clip_id: "gone" })).rejects.toMatchObject(notFound)
    await expect(api.previewReplacement({ ...what, find: " " })).rejects.toMatchObject({ code: "invalid" })
    await api.deleteClip("b")
  })

  it("takes no more vocabulary entries than the maximum, but still changes one", async () => {
    for (let i = 0; i < MAX_VOCABULARY; i++) await api.addVocabulary({ term: `Term ${i}`, sounds_like: [] })
    await expect(api.addVocabulary({ term: "One more", sounds_like: [] })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/has 500 entries, the maximum/),
    })
    expect(await api.addVocabulary({ term: "TERM 7", sounds_like: ["turn"] })).toMatchObject({ term: "TERM 7" })
    const { entries } = await api.vocabulary()
    expect(entries).toHaveLength(MAX_VOCABULARY)
    for (const { id } of entries) await node.store.vocabulary.delete(id)
  })

  it("searches and answers", async () => {
    expect(JSON.stringify(await api.search({ q: "honey" }))).toContain("honey")
    const { sources } = await api.query({ question: "Who dances for honey?", scope: "clips" })
    expect(sources[0]!.chunk.text).toContain("bees dance")
  })

  it("submits, follows, cancels and retries jobs", async () => {
    const { job_id } = await api.submit({ source: node.at("talk.wav"), language: "de" })
    const { job_id: other } = await api.submit({ source: node.at("talk.wav") })
    expect((await api.jobs({ limit: 5 })).jobs.map((job) => job.job_id)).toEqual([other, job_id])
    expect(await api.job(job_id)).toMatchObject({ job_id, status: "queued" })
    const began = performance.now()
    await api.job(job_id, { wait: 1, signal: AbortSignal.timeout(20) })
    expect(performance.now() - began).toBeLessThan(900)
    const given = await Promise.all([job_id, other].map((id) => submittedJob(node.store, id)))
    expect(given.map(({ job }) => [job.options.language, job.options.is_language_given])).toEqual([
      ["de", true],
      ["en", false],
    ])
    expect((await api.cancel(job_id)).status).toBe("cancelled")
    expect((await api.retry(job_id)).job_id).toBe(job_id)
    await Promise.all([api.cancel(job_id), api.cancel(other)])
  })

  it("keeps a vocabulary, which jobs get beside their own", async () => {
    const { id } = await api.addVocabulary({ term: " Ada  Lovelace ", sounds_like: ["a da love lace"] })
    await api.addVocabulary({ term: "Bees", sounds_like: [] })
    expect((await api.vocabulary()).entries.map(({ term }) => term)).toEqual(["Ada Lovelace", "Bees"])
    await expect(api.addVocabulary({ term: " ", sounds_like: [] })).rejects.toMatchObject({ code: "invalid" })
    const { job_id } = await api.submit({
      source: node.at("talk.wav"),
      vocabulary: [{ term: "bees", sounds_like: ["beats"] }],
    })
    const { job } = await submittedJob(node.store, job_id)
    expect(job.options.vocabulary).toEqual([
      { term: "Ada Lovelace", sounds_like: ["a da love lace"] },
      { term: "bees", sounds_like: ["beats"] },
    ])
    expect(await api.updateVocabulary(id, { sounds_like: [] })).toMatchObject({ term: "Ada Lovelace", sounds_like: [] })
    await node.store.clips.editWords("a", [{ kind: "text", start_s: 3, end_s: 3.5, words: ["Honeycomb"] }])
    expect((await api.vocabularySuggestions()).suggestions).toEqual([
      { term: "Honeycomb", sounds_like: "honey", count: 1 },
    ])
    await api.deleteVocabulary(id)
    await expect(api.deleteVocabulary(id)).rejects.toMatchObject(notFound)
    await expect(api.updateVocabulary(id, { term: "Ada" })).rejects.toMatchObject(notFound)
    for (const entry of (await api.vocabulary()).entries) await api.deleteVocabulary(entry.id)
  })

  it("manages tokens", async () => {
    const { id, token } = await api.createToken({ name: "all", scopes: ["admin"] })
    expect(token).toMatch(/^earmark_/)
    expect((await api.tokens()).tokens.map((t) => t.id)).toEqual([id])
    await api.revokeToken(id)
    expect((await api.tokens()).tokens).toEqual([])
  })

  it("manages webhooks and what they were sent", async () => {
    const { id } = await api.createWebhook({ url: "http://127.0.0.1/hook", events: ["clip.deleted"] })
    expect((await api.updateWebhook(id, { description: "mine" })).description).toBe("mine")
    expect((await api.webhooks()).webhooks.map((webhook) => webhook.id)).toEqual([id])
    expect((await api.webhooks({ job_id: "other" })).webhooks).toEqual([])
    await api.deleteClip("a")
    const { deliveries } = await api.deliveries(id, { limit: 5 })
    expect(deliveries.map((delivery) => delivery.type)).toEqual(["clip.deleted"])
    expect((await api.redeliver(id, deliveries[0]!.id)).state).toBe("pending")
    await api.deleteWebhook(id)
    await expect(api.deliveries(id)).rejects.toMatchObject(notFound)
  })

  it("describes the installation, and fetches feeds by the rules of the settings", async () => {
    expect((await api.installation()).choices.provider).toMatchObject({ value: "builtin" })
    await expect(api.feed({ url: "http://127.0.0.1/feed.xml" })).rejects.toThrow(/127\.0\.0\.1/)
  })

  it("takes a field that is undefined as missing, and names an invalid one", async () => {
    const undefinedFields = { limit: undefined, q: undefined } as unknown as NonNullable<Parameters<Api["clips"]>[0]>
    expect((await api.clips(undefinedFields)).clips).toHaveLength(1)
    await expect(api.clips({ limit: 0 })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/limit/),
    })
  })
})
