import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { expect, it, onTestFinished } from "vitest"
import { recordLog } from "#test/fixtures/recorded-log.ts"
import { probeGroups } from "../../platform/capabilities/load.ts"
import { loadConfig } from "../../platform/config/config.ts"
import { openTestNode } from "../testing/open-test-node.ts"
import { openConfiguredBlobs, removeStaleUploads } from "./open-blobs.ts"

it("rejects a folder whose parent is missing, and does not create it", async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-open-blobs-"))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const open = async (env: Record<string, string>) => {
    const config = loadConfig(env)
    return (await openConfiguredBlobs(config, await probeGroups(config.disabledExtras))).location
  }
  await expect(open({ SERVICE_BLOB_URL: `file://${dir}/share/recordings` })).rejects.toThrow(/Mount or create it/)
  expect(existsSync(join(dir, "share"))).toBe(false)
  expect(await open({ SERVICE_BLOB_URL: `file://${dir}/recordings` })).toBe(join(dir, "recordings"))
  expect(await open({ SERVICE_DATA_DIR: join(dir, "new") })).toBe(join(dir, "new/uploads"))
})

it("creates the last part of a folder when the service starts, but not later", async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-open-blobs-"))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const config = loadConfig({ SERVICE_BLOB_URL: `file://${dir}/share/recordings` })
  const groups = await probeGroups(config.disabledExtras)
  mkdirSync(join(dir, "share"))
  await openConfiguredBlobs(config, groups)
  expect(readdirSync(join(dir, "share"))).toEqual([])
  const blobs = await openConfiguredBlobs(config, groups, { make: true })
  expect(readdirSync(join(dir, "share"))).toEqual(["recordings"])
  rmSync(join(dir, "share/recordings"), { recursive: true })
  await expect(blobs.receive(Readable.from([Buffer.from("sound")]), { maxBytes: 9 })).rejects.toThrow(/Mount it again/)
  expect(readdirSync(join(dir, "share"))).toEqual([])
})

it("rejects a file instead of a folder", async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-open-blobs-"))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, "notes.txt"), "")
  const config = loadConfig({ SERVICE_BLOB_URL: `file://${dir}/notes.txt` })
  const opening = openConfiguredBlobs(config, await probeGroups(config.disabledExtras), { make: true })
  await expect(opening).rejects.toThrow(/SERVICE_BLOB_URL names .*notes\.txt, which is a file/)
})

it("removes what earlier processes left incomplete, and logs how much or why not", async () => {
  const node = await openTestNode()
  onTestFinished(() => node.end())
  const { log, lines } = recordLog()
  const sweep = async (result: () => Promise<number>, kind: "folder" | "s3" = "folder") =>
    removeStaleUploads({ config: node.config, log, blobs: { ...node.blobs, kind, sweep: result } })
  await sweep(async () => 0)
  await sweep(async () => 2)
  await sweep(() => Promise.reject(new Error("no answer")))
  expect(lines).toEqual([
    { level: "info", files: 2, msg: "removed incomplete uploads" },
    { level: "warn", detail: "no answer", msg: "failed to remove incomplete uploads" },
  ])
  // The start does not wait for remote storage.
  await sweep(() => new Promise(() => undefined), "s3")
})
