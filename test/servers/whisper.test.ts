import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Installation, openInstallation } from "#test/fixtures/installation.ts"
import { writeTinyWhisper } from "#test/fixtures/tiny-whisper.ts"
import { spoken, writeWav } from "#test/fixtures/tones.ts"
import { type ModelServer, startModelServer } from "./model-server.ts"

let dir: string
let server: ModelServer
let installation: Installation
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "earmark-whisper-"))
  const model = join(dir, "tiny.bin")
  writeTinyWhisper(model)
  server = await startModelServer("whisper", model, ["--inference-path", "/v1/audio/transcriptions"])
  installation = await openInstallation(
    { SERVICE_PROVIDER: "builtin", SERVICE_SPEECH_ENGINE: "openai", SERVICE_SPEECH_URL: server.url },
    dir,
  )
  await installation.worker()
})
afterAll(async () => {
  await installation?.close()
  await server?.close()
  rmSync(dir, { recursive: true, force: true })
})

it("transcribes with whisper.cpp's server, which hears nothing with an empty model", async () => {
  const recording = join(dir, "tones.wav")
  writeWav(recording, spoken([{ word: "alpha", at: 1 }]), 8)
  const id = await installation.submit({ source: recording })
  const job = await installation.until(id, ({ status }) => status === "done" || status === "error", 120_000)
  expect(job.error).toBeUndefined()
  const clip = await installation.store.clips.get(job.session_id)
  expect(clip).toMatchObject({ speech_engine: "openai", transcription: [], duration_s: 8 })
})
