import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { EngineName } from "../contracts/jobs.ts"
import { createLogger } from "../logger.ts"
import { createSpeech, firstEngine, probeEngines } from "./index.ts"

const log = createLogger("silent", "test")
const speech = (engine: EngineName | "auto", choose: () => Promise<EngineName>) =>
  createSpeech({ config: { speech: { engine, model: undefined } }, log, choose })
const never = async (): Promise<never> => {
  throw new Error("asked for the installation's choice")
}

describe("createSpeech", () => {
  it("takes the job's wish, then the setting, then the installation's choice, and makes each engine once", async () => {
    const wished = await speech("sherpa", never).pick("pocketsphinx")
    expect(wished.name).toBe("pocketsphinx")
    expect((await speech("pocketsphinx", never).pick("auto")).name).toBe("pocketsphinx")
    const chosen = speech("auto", async () => "pocketsphinx")
    expect(await chosen.pick("auto")).toBe(await chosen.pick("pocketsphinx"))
  })

  it.each(["sherpa", "openai"] as const)("says that %s is not part of this version, and what is", async (name) => {
    await expect(speech("auto", never).pick(name)).rejects.toMatchObject({
      code: "capability_missing",
      message: expect.stringMatching(/not part of this version.*pocketsphinx/),
    })
  })
})

describe("where nothing is installed", () => {
  const path = process.env.PATH
  beforeEach(() => {
    process.env.PATH = "/nonexistent"
  })
  afterEach(() => {
    process.env.PATH = path
  })

  it("names the missing program in the probe, and the line that installs an engine", async () => {
    const probed = await probeEngines(log)
    expect(probed).toEqual([
      { name: "pocketsphinx", probe: { available: false, detail: expect.stringContaining("apt-get install") } },
    ])
    await expect(firstEngine(log)).rejects.toMatchObject({
      code: "capability_missing",
      message:
        "no speech engine found: install one with  apt-get install pocketsphinx pocketsphinx-en-us ffmpeg  (or pass `transcription`)",
    })
  })
})
