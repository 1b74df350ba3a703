import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { createTempName, isOrphaned, removeStaleTempFiles } from "./temp-files.ts"

it("removes the temporary files of dead processes and nothing else", async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-scratch-"))
  const own = createTempName()
  const [, host] = /^\.incoming-\d+-([0-9a-f]{8})-/.exec(own)!
  const stays = [own, `.incoming-999999999-00000000-of-another-host`, "recording.wav", ".other"]
  const goes = [`.incoming-999999999-${host}-x`, ".incoming-999999999-of-an-older-version"]
  for (const name of [...stays, ...goes]) writeFileSync(join(dir, name), "x")
  expect(await removeStaleTempFiles(dir)).toBe(2)
  expect(readdirSync(dir).toSorted()).toEqual(stays.toSorted())

  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  for (const name of stays) utimesSync(join(dir, name), yesterday, yesterday)
  expect(await removeStaleTempFiles(dir)).toBe(2)
  expect(readdirSync(dir).toSorted()).toEqual([".other", "recording.wav"])
  expect(await removeStaleTempFiles(join(dir, "absent"))).toBe(0)
  rmSync(dir, { recursive: true })
})

it("recognizes a file of an earlier process with the same PID", () => {
  const own = createTempName()
  expect(isOrphaned(own, Date.now())).toBe(false)
  expect(isOrphaned(own, Date.now() - process.uptime() * 1000 - 5_000)).toBe(true)
})
