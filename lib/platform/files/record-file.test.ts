import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { serialize } from "node:v8"
import { expect, it } from "vitest"
import { createRecordFile, readRecords } from "./record-file.ts"

it("reads the records of a private file in order, as often as needed, and removes it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-records-"))
  try {
    const file = await createRecordFile(folder)
    expect([...readRecords(file.path)]).toEqual([])
    const records = [[{ text: "é", vector: new Float32Array([0.5, -1]) }], [], [{ text: "x".repeat(1_000_000) }]]
    for (const record of records) await file.append(serialize(record))
    for (let i = 0; i < 2; i++) expect([...readRecords(file.path)]).toEqual(records)
    expect(statSync(file.path).mode & 0o777).toBe(0o600)
    await file.remove()
    expect(existsSync(file.path)).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
