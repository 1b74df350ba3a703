import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { NewShare } from "../ports/shares.ts"
import { type StoreFixture, type StoreSetup, transcriptOf } from "./fixtures.ts"

export const testShares = (setup: StoreSetup) =>
  describe("share links", () => {
    let f: StoreFixture
    let clipId: string
    beforeEach(async () => {
      f = await setup()
      clipId = await createClip()
    })
    afterEach(() => f.teardown())

    const createClip = async () => {
      const id = randomUUID()
      await f.store.clips.saveTranscript(id, { title: "talk", source_url: null, file_path: null }, transcriptOf("one"))
      return id
    }
    const newShare = (id: string, changes: Partial<NewShare> = {}): NewShare => ({
      id,
      clipId,
      secret: `secret of ${id}`,
      startS: null,
      endS: null,
      withAudio: true,
      expiresAt: null,
      ...changes,
    })

    it("are listed newest first, by clip and together, until they are revoked", async () => {
      const first = await f.store.shares.create(newShare("a", { startS: 1.5, endS: 3, withAudio: false }))
      expect(first).toEqual({
        ...newShare("a", { startS: 1.5, endS: 3, withAudio: false }),
        createdAt: f.clock.now(),
        lastOpenedAt: null,
      })
      f.clock.advance(1)
      const other = await createClip()
      const second = await f.store.shares.create(newShare("b", { clipId: other }))
      f.clock.advance(1)
      const third = await f.store.shares.create(newShare("c"))
      expect(await f.store.shares.list({})).toEqual([third, second, first])
      expect(await f.store.shares.list({ clipId })).toEqual([third, first])
      expect(await f.store.shares.revoke("a")).toBe(true)
      expect(await f.store.shares.revoke("a")).toBe(false)
      expect(await f.store.shares.list({ clipId })).toEqual([third])
      expect(await f.store.shares.open("secret of a")).toBeNull()
    })

    it("open until they expire, and record when they were last opened at most once a minute", async () => {
      const from = f.clock.now()
      await f.store.shares.create(newShare("a", { expiresAt: from + 70_000 }))
      const open = async () => (await f.store.shares.open("secret of a"))?.lastOpenedAt
      expect(await open()).toBe(from)
      f.clock.advance(59_999)
      expect(await open()).toBe(from)
      f.clock.advance(1)
      expect(await open()).toBe(from + 60_000)
      expect((await f.store.shares.list({}))[0]!.lastOpenedAt).toBe(from + 60_000)
      f.clock.advance(9_999)
      expect(await open()).toBe(from + 60_000)
      f.clock.advance(1)
      expect(await open()).toBeUndefined()
      expect(await f.store.shares.open("another secret")).toBeNull()
    })

    it("need a clip, are limited to 100 per clip, and are deleted with it", async () => {
      expect(await f.store.shares.create(newShare("x", { clipId: randomUUID() }))).toBeNull()
      for (let i = 0; i < 100; i++) await f.store.shares.create(newShare(String(i)))
      await expect(f.store.shares.create(newShare("100"))).rejects.toMatchObject({
        code: "conflict",
        message: "The recording has 100 share links, the maximum. Revoke those that are not needed.",
      })
      const other = await createClip()
      await f.store.shares.create(newShare("other", { clipId: other }))
      await f.store.clips.delete(clipId)
      expect((await f.store.shares.list({})).map(({ id }) => id)).toEqual(["other"])
      expect(await f.store.shares.open("secret of 1")).toBeNull()
    })
  })
