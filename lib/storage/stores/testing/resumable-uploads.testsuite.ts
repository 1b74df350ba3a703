import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { StoreFixture, StoreSetup } from "./fixtures.ts"

const LIFETIME = { lifetimeMs: 1000 }
const FILE = { address: "/uploads/ab.wav", sha256: "ab" }

export const testResumableUploads = (setup: StoreSetup) =>
  describe("resumable uploads", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const create = async () => {
      const id = randomUUID()
      await f.store.resumableUploads.create({ id, name: "a.wav", metadata: "filename YS53YXY=", size: 10 }, LIFETIME)
      return id
    }
    const partAt = (start: number, bytes: number) => ({ start, bytes, key: `partial/${start}-${randomUUID()}` })

    it("grow by parts that start where the stored ones end", async () => {
      const { resumableUploads: uploads } = f.store
      const id = await create()
      const parts = [partAt(0, 4), partAt(4, 6)]
      expect(await uploads.addPart(id, partAt(1, 3), LIFETIME)).toBeNull()
      expect(await uploads.addPart(id, parts[0]!, LIFETIME)).toMatchObject({ offset: 4, name: "a.wav", file: null })
      expect(await uploads.addPart(id, partAt(0, 4), LIFETIME)).toBeNull()
      expect(await uploads.addPart(id, parts[1]!, LIFETIME)).toMatchObject({ offset: 10 })
      expect(await uploads.listParts(id)).toEqual(parts)
    })
    it("take one of two simultaneous parts", async () => {
      const id = await create()
      const stores = [f.store, await f.another()]
      const added = await Promise.all(stores.map((s) => s.resumableUploads.addPart(id, partAt(0, 4), LIFETIME)))
      expect(added.filter((upload) => upload !== null)).toHaveLength(1)
      expect(await f.store.resumableUploads.listParts(id)).toHaveLength(1)
    })
    it("keep the address of the complete file in use until they expire", async () => {
      const { resumableUploads: uploads } = f.store
      const id = await create()
      await uploads.addPart(id, partAt(0, 10), LIFETIME)
      await uploads.finish(id, FILE)
      expect([await uploads.get(id), await uploads.listParts(id)]).toMatchObject([{ offset: 10, file: FILE }, []])
      expect(await f.store.uploads.listAddresses()).toEqual([FILE.address])
      f.clock.advance(1000)
      expect([await uploads.get(id), await uploads.removeExpired()]).toEqual([null, 1])
      expect(await f.store.uploads.listAddresses()).toEqual([])
    })
    it("expire a while after their last part", async () => {
      const { resumableUploads: uploads } = f.store
      const [idle, active] = [await create(), await create()]
      f.clock.advance(999)
      expect(await uploads.get(idle)).toMatchObject({ id: idle, offset: 0 })
      await uploads.addPart(active, partAt(0, 1), LIFETIME)
      f.clock.advance(1)
      expect(await uploads.addPart(idle, partAt(0, 1), LIFETIME)).toBeNull()
      expect(await uploads.removeExpired()).toBe(1)
      expect([await uploads.get(idle), await uploads.get(active)]).toMatchObject([null, { offset: 1 }])
    })
    it("can be removed once", async () => {
      const { resumableUploads: uploads } = f.store
      const id = await create()
      await uploads.addPart(id, partAt(0, 1), LIFETIME)
      expect([await uploads.remove(id), await uploads.remove(id)]).toEqual([true, false])
      expect([await uploads.get(id), await uploads.listParts(id)]).toEqual([null, []])
    })
  })
