import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { QueryRequest } from "../../api/documents.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { createThread, getThread } from "../threads/threads.ts"
import { query, streamQuery } from "./query.ts"

const signal = new AbortController().signal
let node: TestNode

const said = (...sentences: readonly [speaker: string, text: string][]) =>
  sentences
    .flatMap(([speaker, text]) => text.split(" ").map((word) => ({ word, speaker })))
    .map((word, i) => ({ ...word, start: i, end: i + 0.8 }))

beforeAll(async () => {
  node = await openTestNode()
  await node.addClip("council", {
    words: said(["0", "Welcome to the meeting."], ["1", "The monthly rent of the flat is 1250 pounds."]),
  })
  await node.addClip("tenants", { words: said(["0", "My monthly rent for the flat went up to 1300 pounds."]) })
  await node.addClip("seniors", { words: said(["0", "Seniors pay a lower monthly rent of 900 pounds."]) })
  await node.store.clips.update("council", { speakers: { "0": "Ada", "1": "Grace" } })
})
afterAll(() => node.end())

const ask = (question: string, more: Partial<QueryRequest> = {}) =>
  query(node, { question, scope: "clips", ...more }, signal)
const startThread = () => createThread(node, { title: "Rents" }, crypto.randomUUID())

describe("an answer without a language model", () => {
  it("has sentences of different recordings, with who said them when, and the number of recordings", async () => {
    const { found, sources, searched, answer } = await ask("What is the monthly rent of the flat?")
    expect(searched).toEqual({ recordings: 3, documents: 0, chunks: 3 })
    const texts = found!.extracts.map(({ source, text, start_s, speaker }) => [
      sources[source - 1]!.chunk.metadata.source,
      text,
      start_s,
      speaker,
    ])
    expect(texts[0]).toEqual(["council", "The monthly rent of the flat is 1250 pounds.", 4, "Grace"])
    expect(texts[1]).toEqual(["tenants", "My monthly rent for the flat went up to 1300 pounds.", 0, undefined])
    expect(found).toMatchObject({ documents: 0 })
    expect(found!.recordings).toBeGreaterThanOrEqual(2)
    expect(answer).toContain("[1]")
  })

  it("has none if nothing is found, and says what was searched", async () => {
    expect(await ask("Who won the football cup?", { filter: { clip_ids: ["council"] } })).toMatchObject({
      found: null,
      answer: "The answer is not in the recordings.",
      searched: { recordings: 1, documents: 0, chunks: 1 },
    })
  })
})

describe("a thread", () => {
  it("keeps questions with their answers, and understands follow-ups", async () => {
    const { id } = await startThread()
    const first = await ask("What is the monthly rent of the flat?", { thread_id: id, filter: { speakers: ["grace"] } })
    expect(first).toMatchObject({ turn: 1, rewritten_question: null })
    const second = await ask("And for seniors?", { thread_id: id })
    expect(second).toMatchObject({ turn: 2, rewritten_question: "And for seniors: monthly rent flat" })
    expect(second.found!.extracts[0]!.text).toBe("Seniors pay a lower monthly rent of 900 pounds.")
    const { turns } = await getThread(node, { id })
    const { sources, citations, found, searched, answer } = first
    expect(turns[0]).toMatchObject({
      question: "What is the monthly rent of the flat?",
      filter: { speakers: ["grace"] },
      state: "done",
      provider: "builtin",
      ...{ sources, citations, found, searched, answer },
    })
    expect(turns.map(({ number }) => number)).toEqual([1, 2])
  })

  it("is refused if it does not exist", async () => {
    await expect(ask("Why?", { thread_id: "gone" })).rejects.toMatchObject({
      code: "not_found",
      message: "unknown thread 'gone'",
    })
  })

  it("keeps an answer that the caller stops, and replaces it when the question is asked again", async () => {
    const { id } = await startThread()
    const request = { question: "What is the monthly rent of the flat?", scope: "clips" as const, thread_id: id }
    const events = await streamQuery(node, request, signal)
    expect((await events.next()).value).toMatchObject({ event: "sources", data: { searched: { recordings: 3 } } })
    const { value } = await events.next()
    await events.return(undefined)
    const text = value?.event === "delta" ? value.data.text : ""
    expect((await getThread(node, { id })).turns).toMatchObject([
      { state: "stopped", answer: text.trim(), found: null },
    ])
    await ask(request.question, request)
    expect((await getThread(node, { id })).turns).toMatchObject([{ number: 2, state: "done" }])
  })

  it("does not fail an answer if it is deleted meanwhile", async () => {
    const { id } = await startThread()
    const request = { question: "What is the monthly rent of the flat?", scope: "clips" as const, thread_id: id }
    const events = await streamQuery(node, request, signal)
    await node.store.threads.delete(id)
    const kinds: string[] = []
    for await (const { event } of events) kinds.push(event)
    expect(kinds.at(-1)).toBe("done")
  })
})
