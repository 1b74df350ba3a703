import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { EngineName } from "../../domain/jobs/jobs.ts"
import { loadConfig } from "../../platform/config/config.ts"
import { createLogger } from "../../platform/logger.ts"
import { createSpeech, detectEngine, probeEngines } from "./index.ts"

const log = createLogger("silent", "test")
const never = async (): Promise<never> => {
  throw new Error("requested the installation's choice")
}

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-speech-"))
})
afterEach(() => rmSync(dir, { recursive: true }))

const configOf = (env: Record<string, string> = {}) =>
  loadConfig({ SERVICE_DATA_DIR: dir, SERVICE_MODELS_OFFLINE: "true", ...env })
const speech = (engine: EngineName | "auto", choose: () => Promise<EngineName>) =>
  createSpeech({ config: configOf({ SERVICE_SPEECH_ENGINE: engine }), log, choose })

describe("createSpeech", () => {
  it("prefers the job's engine to the setting and the setting to the installation's choice, and creates each engine once", async () => {
    const requested = await speech("sherpa", never).pick("pocketsphinx")
    expect(requested.name).toBe("pocketsphinx")
    expect((await speech("pocketsphinx", never).pick("auto")).name).toBe("pocketsphinx")
    const chosen = speech("auto", async () => "pocketsphinx")
    expect((await chosen.pick("auto")).name).toBe("pocketsphinx")
    expect(await chosen.pick("pocketsphinx")).toBe(await chosen.pick("pocketsphinx"))
  })
})

describe("without an installed engine", () => {
  const path = process.env.PATH
  beforeEach(() => {
    process.env.PATH = "/nonexistent"
  })
  afterEach(() => {
    process.env.PATH = path
  })

  it("reports in the probes what is missing, and how to install an engine", async () => {
    const probed = await probeEngines(configOf(), log)
    expect(Object.fromEntries(probed.map(({ name, probe }) => [name, probe]))).toMatchObject({
      sherpa: { available: false, detail: expect.stringMatching(/SERVICE_MODELS_OFFLINE forbids downloads/) },
      pocketsphinx: { available: false, detail: expect.stringContaining("apt-get install") },
    })
    await expect(detectEngine(configOf(), log)).rejects.toMatchObject({
      code: "capability_missing",
      message: expect.stringMatching(/^No speech engine found. Run `npx earmark models pull .*apt-get install/),
    })
  })

  it("does not load the packages of a disabled group", async () => {
    const probed = await probeEngines(configOf({ SERVICE_DISABLE_EXTRAS: "audio" }), log)
    expect(probed.find(({ name }) => name === "sherpa")?.probe).toEqual({
      available: false,
      detail: expect.stringMatching(/SERVICE_DISABLE_EXTRAS/),
    })
  })
})
