import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { AppError } from "../../domain/errors.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { labelClips, listTags } from "./labels.ts"

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
  for (const id of ["a", "b"]) await node.addClip(id)
})
afterAll(() => node.end())

describe("labelClips", () => {
  it("says which clips have changed, which were like this already and which do not exist", async () => {
    expect(await labelClips(node, { ids: ["a", "gone"], add_tags: ["Budget"] })).toEqual({
      updated: ["a"],
      unchanged: [],
      failed: [{ id: "gone", detail: "unknown clip 'gone'" }],
    })
    expect(await labelClips(node, { ids: ["a", "b"], add_tags: ["budget"] })).toMatchObject({
      updated: ["b"],
      unchanged: ["a"],
      failed: [],
    })
    const { tags } = await listTags(node)
    expect(tags.map(({ clips }) => clips).reduce((a, b) => a + b)).toBe(2)
  })
  it("changes a clip that is named twice once", async () => {
    expect(await labelClips(node, { ids: ["a", "a"], favorite: true })).toEqual({
      updated: ["a"],
      unchanged: [],
      failed: [],
    })
  })
  it("goes on after a clip that cannot have more tags, and stops at any other error", async () => {
    const updateLabels = vi.spyOn(node.store.clips, "updateLabels")
    updateLabels.mockRejectedValueOnce(new AppError("invalid", "a clip has at most 50 tags"))
    expect(await labelClips(node, { ids: ["a", "b"], add_tags: ["Plan"] })).toEqual({
      updated: ["b"],
      unchanged: [],
      failed: [{ id: "a", detail: "a clip has at most 50 tags" }],
    })
    updateLabels.mockRejectedValueOnce(new AppError("unavailable", "the store is busy"))
    await expect(labelClips(node, { ids: ["a"], favorite: false })).rejects.toThrow("the store is busy")
    updateLabels.mockRejectedValueOnce(new Error("disk I/O error"))
    await expect(labelClips(node, { ids: ["a"], favorite: false })).rejects.toThrow("disk I/O error")
    updateLabels.mockRestore()
  })
})
