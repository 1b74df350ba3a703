import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { toStageFailure } from "../../../pipeline/failure.ts"
import type { Bucket } from "./client.ts"
import { fetchInto } from "./fetch.ts"

it("puts off what this host has no room for, so that another worker takes it", async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-room-"))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const { signal } = new AbortController()
  // Of more bytes than any disk has; nothing is asked of the bucket.
  const wanted = { key: `${"a".repeat(64)}.wav`, bytes: 2 ** 60, modifiedAt: 0 }
  const error = await fetchInto({} as Bucket, wanted, { dir, signal }).catch((e: unknown) => e)
  expect(error).toMatchObject({ code: "storage_full", message: expect.stringMatching(/free some space there/) })
  expect(toStageFailure(error, 1, 1)).toMatchObject({ kind: "later", retryInMs: 30_000 })
  expect(readdirSync(dir)).toEqual([])
})
