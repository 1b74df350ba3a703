import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { Embedder } from "../lib/engines/language/types.ts"
import { requestChange } from "../lib/services/embedding/embedder-change.ts"
import { getPendingChange } from "../lib/services/embedding/pending-change.ts"
import { openTestNode, type TestNode } from "../lib/services/testing/open-test-node.ts"
import { wordsOf } from "../lib/storage/stores/testing/fixtures.ts"
import { recordLog } from "../test/fixtures/recorded-log.ts"
import { startEmbedderChange } from "./embedder-change.ts"

const LEASE = { name: "embedder change", ttlMs: 60_000, owner: "me" }

let node: TestNode
beforeEach(async () => {
  node = await openTestNode()
  await node.store.installation.setChoice("embedder", { value: "builtin", reason: "test" })
  await node.addClip("a", { words: wordsOf("bees dance") })
})
afterEach(() => node.end())

const start = (embed: Embedder["embed"]) => {
  const { log, lines } = recordLog()
  const next: Embedder = { name: "onnx/next", isLexical: false, embed }
  const getEmbedder = async () => ((await choiceOf("embedder")) === "next" ? next : node.engines.getEmbedder())
  const deps = { ...node, engines: { ...node.engines, findEmbedder: async () => next, getEmbedder } }
  const acquire = vi.spyOn(node.store.outbox, "acquireLease")
  const release = vi.spyOn(node.store.outbox, "releaseLease")
  const task = startEmbedderChange({ deps, store: node.store, owner: "me", intervalMs: 5, log })
  return { task, acquire, release, messages: () => lines.map(({ msg }) => msg) }
}
const choiceOf = async (kind: string) =>
  (await node.store.installation.listChoices()).find((choice) => choice.kind === kind)?.value
const vectorsOf: Embedder["embed"] = async (texts) => texts.map((text) => Float32Array.of(1, text.length))

describe("a change of the embedder", () => {
  it("is not begun unless somebody has asked for it, or if another worker carries it out", async () => {
    const embed = vi.fn(vectorsOf)
    const idle = start(embed)
    await idle.task.stop()
    expect([idle.acquire.mock.calls, embed.mock.calls]).toEqual([[], []])
    await node.store.outbox.acquireLease({ ...LEASE, owner: "another" })
    await requestChange(node.store, "next", 1)
    const second = start(embed)
    await vi.waitFor(() => expect(second.acquire).toHaveBeenCalledWith(LEASE))
    await second.task.stop()
    expect([embed.mock.calls, second.messages()]).toEqual([[], []])
  })

  it("embeds and indexes the library, and then frees the lease", async () => {
    await requestChange(node.store, "next", 1)
    const { task, acquire, release, messages } = start(vectorsOf)
    await vi.waitFor(() =>
      expect(release).toHaveBeenCalledWith(expect.objectContaining({ name: LEASE.name, owner: "me" })),
    )
    await task.stop()
    expect(acquire).toHaveBeenCalledWith(LEASE)
    expect(await choiceOf("embedder")).toBe("next")
    expect(await node.index.listClipsWithoutChunks("onnx/next")).toEqual([])
    expect(messages()).toEqual(["embedding the library with another model", "the embedder has changed"])
  })

  it("shows why it failed, stays requested, and keeps the lease so that the next attempt waits", async () => {
    await requestChange(node.store, "next", 1)
    const { task, release, messages } = start(() => Promise.reject(new Error("the model is damaged")))
    await vi.waitFor(async () => expect((await getPendingChange(node.store))?.reason).toBe("the model is damaged"))
    await vi.waitFor(() => expect(messages()).toContain("changing the embedder failed; retrying"))
    await task.stop()
    expect(await choiceOf("embedder")).toBe("builtin")
    expect(release).not.toHaveBeenCalled()
  })

  it("is interrupted when the worker stops, and frees the lease for another worker", async () => {
    await requestChange(node.store, "next", 1)
    let begin: () => void = () => undefined
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const { task, release } = start(
      (_texts, _kind, signal) =>
        new Promise((_, reject) => {
          begin()
          signal!.addEventListener("abort", () => reject(signal!.reason as Error))
        }),
    )
    await begun
    await task.stop()
    expect(release).toHaveBeenCalledWith(expect.objectContaining({ name: LEASE.name, owner: "me" }))
    expect((await getPendingChange(node.store))?.reason).toMatch(/^0 of \d+ texts are embedded$/)
  })

  it("renews its lease every 20 seconds while it runs, and not afterwards", async () => {
    await requestChange(node.store, "next", 1)
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
    try {
      let finish: () => void = () => undefined
      const held = new Promise<void>((resolve) => {
        finish = resolve
      })
      const embed = vi.fn<Embedder["embed"]>(async (...args) => {
        await held
        return vectorsOf(...args)
      })
      const { task, acquire, release } = start(embed)
      // `vi.waitFor` would advance the timers.
      while (embed.mock.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      const before = acquire.mock.calls.length
      vi.advanceTimersByTime(19_999)
      expect(acquire.mock.calls.length).toBe(before)
      vi.advanceTimersByTime(1)
      expect(acquire.mock.calls.slice(before)).toEqual([[LEASE]])
      finish()
      while (release.mock.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      await task.stop()
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})
