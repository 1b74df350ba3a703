import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { chooseProvider, findNativePackage } from "#lib/engines/speech/sherpa/device.ts"
import type { SpeechProcess } from "#lib/engines/speech/sherpa/process.ts"
import { createProcessPool } from "#lib/engines/speech/sherpa/process-pool.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { TONE_MODEL } from "#test/fixtures/speech-models.ts"

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-device-"))
})
afterAll(() => rmSync(dir, { recursive: true }))

it("uses the GPU only if sherpa's GPU libraries and a GPU are present", () => {
  const card = join(dir, "nvidiactl")
  expect(chooseProvider("auto", dir, card)).toBe("cpu")
  expect(() => chooseProvider("cuda", dir, card)).toThrow(
    /SERVICE_SPEECH_DEVICE=cuda needs an NVIDIA GPU.*docs\/speech\.md/,
  )
  writeFileSync(join(dir, "libonnxruntime_providers_cuda.so"), "")
  expect(chooseProvider("auto", dir, card)).toBe("cpu")
  writeFileSync(card, "")
  expect([chooseProvider("auto", dir, card), chooseProvider("cuda", dir, card)]).toEqual(["cuda", "cuda"])
  expect(chooseProvider("cpu", dir, card)).toBe("cpu")
})

it("keeps two models loaded, and replaces the least recently used one that is not transcribing", async () => {
  const models = join(packageRoot(), "test/fixtures/models")
  const pool = createProcessPool(createLogger("silent", "test"), { threads: 1, silenceMs: 60_000 })
  const pids = new Map<string, SpeechProcess>()
  const use = (name: string, work: () => Promise<void> = async () => {}) =>
    pool.use(
      { name, folder: join(models, TONE_MODEL), vad: join(models, "silero-vad"), provider: "cpu" },
      { language: "en", terms: [], signal: new AbortController().signal },
      async (child) => {
        pids.set(name, child)
        await work()
      },
    )
  const loaded = () => [...pids].filter(([, child]) => child.isAlive()).map(([name]) => name)
  await use("first")
  await use("second")
  await use("first")
  await use("third")
  await expect.poll(loaded).toEqual(["first", "third"])
  await use("first", async () => {
    await use("fourth")
    await use("fifth")
    await expect.poll(loaded).toEqual(["first", "fifth"])
  })
  pool.close()
  await expect.poll(loaded).toEqual([])
})

it("warns when the model is loaded on the CPU because the GPU libraries do not work", async () => {
  expect(findNativePackage()).toMatch(/node_modules\/sherpa-onnx-/)
  const lines: { level: string; msg: string; device?: string }[] = []
  const log = createLogger("silent", "test")
  log.info = ((fields: object, msg: string) => void lines.push({ level: "info", msg, ...fields })) as typeof log.info
  log.warn = ((fields: object, msg: string) => void lines.push({ level: "warn", msg, ...fields })) as typeof log.warn
  const models = join(packageRoot(), "test/fixtures/models")
  const wanted = { name: TONE_MODEL, folder: join(models, TONE_MODEL), vad: join(models, "silero-vad") }
  for (const provider of ["cpu", "cuda"] as const) {
    const pool = createProcessPool(log, { threads: 1, silenceMs: 60_000 })
    await pool.use(
      { ...wanted, provider },
      { language: "en", terms: [], signal: new AbortController().signal },
      async () => {},
    )
    pool.close()
  }
  expect(lines.map(({ level, msg, device }) => [level, msg, device])).toEqual([
    ["info", "speech model loaded", "cpu"],
    ["info", "speech model loaded", "cpu"],
    ["warn", expect.stringMatching(/runs on the CPU/), undefined],
  ])
})
