import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { toStageFailure } from "../../../pipeline/failure.ts"
import type { Bucket } from "./client.ts"
import { downloadBlob } from "./download.ts"

it("defers a download that does not fit on this host's disk, so that another worker takes it", async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-download-"))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const { signal } = new AbortController()
  // Larger than any disk. The bucket is not contacted.
  const blob = { key: `${"a".repeat(64)}.wav`, bytes: 2 ** 60, modifiedAt: 0 }
  const error = await downloadBlob({} as Bucket, blob, { dir, signal }).catch((e: unknown) => e)
  expect(error).toMatchObject({ code: "storage_full", message: expect.stringMatching(/Free some space there/) })
  expect(toStageFailure(error, 1, 1)).toMatchObject({ kind: "later", retryInMs: 30_000 })
  expect(readdirSync(dir)).toEqual([])
})
