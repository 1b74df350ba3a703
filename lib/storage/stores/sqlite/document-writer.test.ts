import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate as immediate } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { packageRoot } from "../../../platform/package-root.ts"
import { openDatabase } from "../../database/open.ts"
import type { NewChunk, NewDocument } from "../ports/documents.ts"
import type { Store } from "../ports/store.ts"
import { openSqliteStore } from "./index.ts"

const documentOf = (
  chunks: number,
  text = "The waggle dance encodes direction",
): NewDocument & { readonly chunks: readonly NewChunk[] } => ({
  id: "d",
  kind: "file",
  source: "/d.txt",
  fingerprint: `${chunks} ${text}`,
  embedModel: "m",
  chunks: Array.from({ length: chunks }, (_, i) => ({
    text: `${text} ${i}.`,
    context: "",
    metadata: {},
    vector: new Float32Array(768).fill(i),
  })),
})

describe("large documents", () => {
  let dir: string
  let store: Store
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "earmark-long-"))
    store = openSqliteStore(
      openDatabase({ path: join(dir, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") }),
    )
  })
  afterEach(async () => {
    await store.close()
    rmSync(dir, { recursive: true })
  })

  it("are written while other work runs, which sees all of a document or nothing", async () => {
    await store.documents.put(documentOf(101, "old"))
    const seen = new Set<number>()
    let turns = 0
    let isWritten = false
    const writing = store.documents.put(documentOf(3000)).then(() => {
      isWritten = true
    })
    while (!isWritten) {
      turns++
      seen.add((await store.documents.getCounts()).chunks)
      await immediate()
    }
    await writing
    expect(turns).toBeGreaterThan(5)
    expect([...seen].every((chunks) => chunks === 101 || chunks === 3000)).toBe(true)
    expect(await store.documents.getCounts()).toEqual({ documents: 1, chunks: 3000, textRows: 3000, vectors: 3000 })
    expect((await store.documents.getFile("d"))!.chunks.map((c) => c.ordinal)).toEqual([...Array(3000).keys()])
  })
  it("are written one after the other, also while small ones are written", async () => {
    const long = [store.documents.put(documentOf(500, "first")), store.documents.put(documentOf(400, "second"))]
    const short = store.documents.put({ ...documentOf(1, "short"), id: "s", source: "/s.txt" })
    await Promise.all([...long, short])
    expect(await store.documents.getCounts()).toMatchObject({ documents: 2, chunks: 401, textRows: 401 })
  })
  it("leave the old document if they cannot be written", async () => {
    await store.documents.put(documentOf(200, "old"))
    const broken = documentOf(300)
    Object.assign(broken.chunks[299]!, { text: { not: "a text" } })
    await expect(store.documents.put(broken)).rejects.toThrow()
    expect(await store.documents.getCounts()).toMatchObject({ documents: 1, chunks: 200, textRows: 200 })
    await store.documents.put(documentOf(150))
    expect(await store.documents.getCounts()).toMatchObject({ chunks: 150, textRows: 150 })
  })
  it("are replaced and removed by the process that writes them", async () => {
    await store.documents.put(documentOf(300))
    await store.documents.put(documentOf(2))
    expect(await store.documents.getCounts()).toMatchObject({ chunks: 2, textRows: 2 })
    await store.documents.put(documentOf(300))
    expect(await store.documents.remove(["d", "unknown"])).toBe(1)
    expect(await store.documents.getCounts()).toEqual({ documents: 0, chunks: 0, textRows: 0, vectors: 0 })
  })
})
