import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { probeGroups } from "../capabilities/load.ts"
import { loadConfig } from "../config.ts"
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
