import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exportClipText } from "../export/export-clip.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { deleteClip, editClip, getClip, unknownSpeakerMessage } from "./clips.ts"
import { listClips } from "./list-clips.ts"

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
afterAll(() => node.end())

const wordsBy = (...speakers: string[]) =>
  speakers.map((speaker, i) => ({ word: `word${i}`, start: i, end: i + 0.5, speaker }))

describe("a clip", () => {
  it("is found, listed and exported by its ID", async () => {
    await node.addClip("a")
    expect(await getClip(node, { id: "a" })).toMatchObject({ id: "a", title: "Clip a" })
    expect((await listClips(node, { limit: 10 })).clips.map(({ id }) => id)).toEqual(["a"])
    expect(await exportClipText(node, { id: "a" }, "txt")).toContain("one two three")
    await expect(getClip(node, { id: "x" })).rejects.toMatchObject({ status: 404, message: "unknown clip 'x'" })
    await expect(exportClipText(node, { id: "x" }, "txt")).rejects.toMatchObject({ status: 404 })
  })

  it("gets a new title and names for its speakers", async () => {
    const id = "named"
    await node.addClip(id, { words: wordsBy("0", "1") })
    expect(await editClip(node, { id }, { title: "New" })).toMatchObject({ title: "New", speakers: {} })
    expect((await editClip(node, { id }, { speakers: { "1": "Ada" } })).speakers).toEqual({ "1": "Ada" })
    await expect(editClip(node, { id: "x" }, { title: "New" })).rejects.toMatchObject({ status: 404 })
    await expect(editClip(node, { id: "x" }, { speakers: { "0": "Ada" } })).rejects.toMatchObject({ status: 404 })
  })

  it("rejects names for speakers whom it does not have", async () => {
    const id = "two speakers"
    await node.addClip(id, { words: wordsBy("0", "1") })
    await expect(editClip(node, { id }, { speakers: { "0": "Ada", "7": "Bob" } })).rejects.toMatchObject({
      code: "invalid",
      message: "speakers: the recording has no speaker '7'. Its speakers are '0', '1'.",
    })
    expect((await getClip(node, { id })).speakers).toEqual({})
    // An empty name removes a name, which does no harm to a speaker who is not there.
    expect((await editClip(node, { id }, { speakers: { "7": "" } })).speakers).toEqual({})
  })

  it("accepts any name before transcription, and names of earlier speakers after it", async () => {
    const id = "transcribed later"
    await node.addClip(id, { words: [] })
    expect((await editClip(node, { id }, { speakers: { "7": "Bob" } })).speakers).toEqual({ "7": "Bob" })
    await node.addClip(id, { words: wordsBy("0") })
    expect((await editClip(node, { id }, { speakers: { "7": "Bobby" } })).speakers).toEqual({ "7": "Bobby" })
    await expect(editClip(node, { id }, { speakers: { "8": "Eve" } })).rejects.toThrow(/no speaker '8'/)
  })

  it("is deleted without the caller's own file, even while the blob storage is unavailable", async () => {
    const id = "own file"
    await node.addClip(id, { file_path: node.at("talk.wav") })
    const blobs = { ...node.blobs, check: () => Promise.reject(new Error("the share is gone")) }
    await deleteClip({ ...node, blobs }, { id })
    await expect(getClip(node, { id })).rejects.toMatchObject({ status: 404 })
    await expect(deleteClip(node, { id })).rejects.toMatchObject({ status: 404, message: "unknown clip 'own file'" })
    await expect(deleteClip({ ...node, blobs }, { id })).rejects.toThrow("the share is gone")
  })
})

describe("the message about an unknown speaker", () => {
  it.each([
    [1, "Its only speaker is '00'."],
    [2, "Its speakers are '00', '01'."],
    [20, /'19'\.$/],
    [22, /'19' and 2 more\.$/],
  ])("lists at most twenty of %d speakers", (count, end) => {
    const speakers = Array.from({ length: count }, (_, i) => String(i).padStart(2, "0")).reverse()
    const message = unknownSpeakerMessage("x", new Set(speakers))
    expect(message).toMatch(/^the recording has no speaker 'x'\. /)
    if (typeof end === "string") expect(message.endsWith(end)).toBe(true)
    else expect(message).toMatch(end)
  })
})
