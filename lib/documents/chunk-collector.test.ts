import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { serialize } from "node:v8"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { readRecords } from "../platform/files/record-file.ts"
import { createChunkCollector } from "./chunk-collector.ts"
import type { ParsedChunk } from "./split.ts"

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-collector-"))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const chunk = (text: string): ParsedChunk => ({ text, context: "", metadata: {} })
const record = (...texts: string[]) => ({ record: serialize(texts.map(chunk)), count: texts.length })

it("chunks that come at once are kept in memory", async () => {
  const collector = createChunkCollector(dir)
  expect(await collector.finish(record("a", "b"))).toEqual({ count: 2, list: [chunk("a"), chunk("b")] })
  expect(readdirSync(dir)).toEqual([])
})

it("chunks that come in several batches are in one file, in order, which the caller removes", async () => {
  const collector = createChunkCollector(dir)
  collector.add(record("a", "b"))
  collector.add(record("c"))
  const parsed = await collector.finish(record("d"))
  if (!("file" in parsed)) throw new Error("expected a file")
  expect(parsed.count).toBe(4)
  const batches = [...readRecords(parsed.file.path)] as ParsedChunk[][]
  expect(batches.map((chunks) => chunks.map(({ text }) => text))).toEqual([["a", "b"], ["c"], ["d"]])
  expect(readdirSync(dir)).toHaveLength(1)
  await parsed.file.remove()
  expect(readdirSync(dir)).toEqual([])
})

it("the file of chunks that nobody wants any more is removed", async () => {
  const collector = createChunkCollector(dir)
  collector.discard()
  collector.add(record("a"))
  await vi.waitFor(() => expect(readdirSync(dir)).toHaveLength(1))
  collector.discard()
  await vi.waitFor(() => expect(readdirSync(dir)).toEqual([]))
})

it("an error of writing the file is reported at the end", async () => {
  writeFileSync(join(dir, "file"), "")
  const collector = createChunkCollector(join(dir, "file"))
  collector.add(record("a"))
  collector.add(record("b"))
  await expect(collector.finish(record("c"))).rejects.toMatchObject({ code: expect.stringMatching(/EEXIST|ENOTDIR/) })
})
