import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { expect, it, onTestFinished } from "vitest"
import { probeGroups } from "../../platform/capabilities/load.ts"
import { loadConfig } from "../../platform/config/config.ts"
import { openBlobs } from "./open-blobs.ts"

it("takes no folder that lies nowhere, and makes none", async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-open-blobs-"))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const open = async (env: Record<string, string>) => {
    const config = loadConfig(env)
    return (await openBlobs(config, await probeGroups(config.disabledExtras))).place
  }
  await expect(open({ SERVICE_BLOB_URL: `file://${dir}/share/recordings` })).rejects.toThrow(/Mount or make it/)
  expect(existsSync(join(dir, "share"))).toBe(false)
  expect(await open({ SERVICE_BLOB_URL: `file://${dir}/recordings` })).toBe(join(dir, "recordings"))
  expect(await open({ SERVICE_DATA_DIR: join(dir, "new") })).toBe(join(dir, "new/uploads"))
})

it("makes the last part of a folder once, when the service starts, and never again", async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-open-blobs-"))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const config = loadConfig({ SERVICE_BLOB_URL: `file://${dir}/share/recordings` })
  const groups = await probeGroups(config.disabledExtras)
  mkdirSync(join(dir, "share"))
  await openBlobs(config, groups)
  expect(readdirSync(join(dir, "share"))).toEqual([])
  const blobs = await openBlobs(config, groups, { make: true })
  expect(readdirSync(join(dir, "share"))).toEqual(["recordings"])
  rmSync(join(dir, "share/recordings"), { recursive: true })
  await expect(blobs.receive(Readable.from([Buffer.from("sound")]), { maxBytes: 9 })).rejects.toThrow(/mount it again/)
  expect(readdirSync(join(dir, "share"))).toEqual([])
})

it("does not start on a file where a folder is to be", async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-open-blobs-"))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, "notes.txt"), "")
  const config = loadConfig({ SERVICE_BLOB_URL: `file://${dir}/notes.txt` })
  const opening = openBlobs(config, await probeGroups(config.disabledExtras), { make: true })
  await expect(opening).rejects.toThrow(/notes\.txt, which SERVICE_BLOB_URL names, is a file: name a folder/)
})
