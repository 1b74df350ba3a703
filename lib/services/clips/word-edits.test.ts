import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { WordEdit } from "../../domain/transcript/word-edits.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { getClip } from "./clips.ts"
import { editWords, listWordEdits, removeWordEdit } from "./word-edits.ts"

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
beforeEach(async () => {
  await node.store.clips.delete("a")
  // Words at 0 to 2.5 s; the recording ends at 3 s.
  await node.addClip("a")
})
afterAll(() => node.end())

const edit = (...edits: WordEdit[]) => editWords(node, { id: "a" }, { edits })
const textAt = (start_s: number, ...words: string[]): WordEdit => ({
  kind: "text",
  start_s,
  end_s: start_s + 0.5,
  words,
})
const text = async () => (await getClip(node, { id: "a" })).transcription.map(({ word }) => word).join(" ")

describe("word edits", () => {
  it("are applied, listed in order and removed", async () => {
    const first = await edit(textAt(1, "zwei"))
    const second = await edit(textAt(2, "drei"))
    expect(await text()).toBe("one zwei drei")
    const { edits } = await listWordEdits(node, { id: "a" })
    expect(edits).toEqual([...first.edits, ...second.edits])
    expect(edits.map(({ edit }) => edit)).toEqual([textAt(1, "zwei"), textAt(2, "drei")])
    await removeWordEdit(node, { id: "a", edit_id: edits[0]!.id })
    expect(await text()).toBe("one two drei")
  })

  it("must begin within the recording, or at its end", async () => {
    await expect(edit(textAt(0, "eins"), textAt(3.01, "vier"))).rejects.toMatchObject({
      code: "invalid",
      message: "edits[1].start_s: must be within the recording, which ends at 3 seconds",
    })
    expect(await text()).toBe("one two three")
    await edit(textAt(3, "vier"))
    const late = [{ word: "late", start: 4, end: 7.123, speaker: "0" }]
    await node.addClip("b", { words: late })
    await editWords(node, { id: "b" }, { edits: [textAt(7.1)] })
    await expect(editWords(node, { id: "b" }, { edits: [textAt(8)] })).rejects.toThrow(/ends at 7\.12 seconds/)
  })

  it("merge only speakers that the recording has, or that an edit before them creates", async () => {
    await expect(edit({ kind: "merge", from: "1", into: "0" })).rejects.toMatchObject({
      code: "invalid",
      message: "edits[0].from: the recording has no speaker '1'. Its only speaker is '0'.",
    })
    await edit(
      { kind: "speaker", start_s: 0, end_s: 0.5, speaker: "1" },
      { kind: "merge", from: "1", into: "2" },
      { kind: "merge", from: "2", into: "3" },
    )
    expect((await getClip(node, { id: "a" })).transcription.map(({ speaker }) => speaker)).toEqual(["3", "0", "0"])
  })

  it("are not checked before transcription", async () => {
    await node.addClip("empty", { words: [] })
    const edits = [textAt(100, "later"), { kind: "merge", from: "8", into: "9" } as const]
    await editWords(node, { id: "empty" }, { edits })
    expect((await listWordEdits(node, { id: "empty" })).edits.map(({ edit }) => edit)).toEqual(edits)
  })

  it("of an unknown clip or with an unknown ID are not found", async () => {
    const id = "unknown"
    await expect(listWordEdits(node, { id })).rejects.toMatchObject({ status: 404, message: "unknown clip 'unknown'" })
    await expect(editWords(node, { id }, { edits: [] })).rejects.toMatchObject({ status: 404 })
    await expect(removeWordEdit(node, { id: "a", edit_id: 99 })).rejects.toMatchObject({
      status: 404,
      message: "clip 'a' has no correction 99",
    })
  })
})
