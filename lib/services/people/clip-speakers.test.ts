import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { transcriptOf } from "../../storage/stores/testing/fixtures.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { editClipSpeaker, listClipSpeakers, listSuggestedSpeakers } from "./clip-speakers.ts"
import { deletePerson, listPeople, mergePeople, renamePerson, searchPersonWords, splitPerson } from "./people.ts"

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
afterAll(() => node.end())

const direction = (degrees: number) =>
  Float32Array.from([Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)])

/** Adds a clip whose speakers have embeddings in these directions. The thresholds name nobody automatically. */
const addClip = async (id: string, degrees: Readonly<Record<string, number>>) => {
  const speakers = Object.entries(degrees).map(([speaker, d]) => ({ speaker, vector: direction(d), seconds: 9 }))
  const words = speakers.map(({ speaker }, i) => ({ word: "hello", start: i, end: i + 1, speaker }))
  const thresholds = { apply: 2, suggest: 2, margin: 0, minSeconds: 0 }
  const speaker_embeddings = { embedder: "sherpa:test", thresholds, speakers }
  const clip = { title: `Clip ${id}`, source_url: null, file_path: null }
  await node.store.clips.saveTranscript(id, clip, { ...transcriptOf("x"), words, speaker_embeddings })
}
const speakersOf = async (id: string) => (await listClipSpeakers(node, { id })).speakers
const personOf = async (id: string, speaker: string) =>
  (await speakersOf(id)).find((one) => one.speaker === speaker)!.person!.id

describe("the speakers of a clip", () => {
  it("have suggestions from the score of the embedder on, most similar first, until a user decides", async () => {
    await addClip("a", { "0": 0, "1": 90 })
    await addClip("b", { "0": 40, "10": 180, "2": 0 })
    await editClipSpeaker(node, { id: "a", speaker: "0" }, { name: "Ada" })
    await editClipSpeaker(node, { id: "a", speaker: "1" }, { name: "Bob" })
    expect(await speakersOf("b")).toMatchObject([
      { speaker: "0", name: null, person: null, suggestions: [{ name: "Ada" }, { name: "Bob" }], has_embedding: true },
      { speaker: "2", suggestions: [{ name: "Ada", score: 1 }] },
      { speaker: "10", suggestions: [] },
    ])
    const [ada, bob] = [await personOf("a", "0"), await personOf("a", "1")]
    expect((await listSuggestedSpeakers(node, { id: ada })).speakers).toMatchObject([
      { clip_id: "b", speaker: "2", clip_title: "Clip b", score: 1 },
      { clip_id: "b", speaker: "0" },
    ])
    expect((await listSuggestedSpeakers(node, { id: bob })).speakers).toEqual([])

    await editClipSpeaker(node, { id: "b", speaker: "0" }, { rejected_person_id: ada })
    const { speakers } = await editClipSpeaker(node, { id: "b", speaker: "2" }, { person_id: ada })
    expect(speakers).toMatchObject([
      { suggestions: [{ name: "Bob" }] },
      { name: "Ada", person: { id: ada, state: "confirmed", score: null }, suggestions: [] },
      {},
    ])
    expect((await listSuggestedSpeakers(node, { id: ada })).speakers).toEqual([])
    await addClip("b", { "0": 0 })
    expect((await speakersOf("b"))[0]).toMatchObject({ speaker: "0", suggestions: [] })
  })

  it("must exist, as must clips and people", async () => {
    await addClip("c", { "0": 0 })
    const edit = (speaker: string, patch: object) => editClipSpeaker(node, { id: "c", speaker }, patch)
    await expect(edit("7", { name: "Ada" })).rejects.toMatchObject({
      code: "invalid",
      message: "speakers: the recording has no speaker '7'. Its only speaker is '0'.",
    })
    await expect(edit("0", { person_id: "nobody" })).rejects.toMatchObject({ message: "unknown person 'nobody'" })
    await expect(editClipSpeaker(node, { id: "none", speaker: "0" }, { name: "Ada" })).rejects.toMatchObject({
      message: "unknown clip 'none'",
    })
    await expect(listClipSpeakers(node, { id: "none" })).rejects.toMatchObject({ code: "not_found" })
    await expect(listSuggestedSpeakers(node, { id: "nobody" })).rejects.toMatchObject({ code: "not_found" })
  })
})

it("answers calls about unknown people with their ID", async () => {
  const ref = { id: "nobody" }
  const speakers = [{ clip_id: "a", speaker: "0" }]
  for (const call of [
    renamePerson(node, ref, { name: "Eve" }),
    deletePerson(node, ref),
    mergePeople(node, ref, { from: ["x"] }),
    splitPerson(node, ref, { name: "Eve", speakers }),
    searchPersonWords(node, ref, { q: "x", limit: 1 }),
  ])
    await expect(call).rejects.toMatchObject({ code: "not_found", message: "unknown person 'nobody'" })
  expect((await listPeople(node, { limit: 50, q: "eve" })).people).toEqual([])
})
