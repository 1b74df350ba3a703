import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readTranscript } from "#lib/domain/transcript/given/read-transcript.ts"
import type { Transcriber, Transcript } from "#lib/engines/speech/types.ts"
import { putModels, putWhisper, toneEngine } from "#test/fixtures/speech-models.ts"
import { type Said, spoken, writeWav } from "#test/fixtures/tones.ts"
import { request } from "./helpers.ts"

let dir: string
let models: string
let engine: Transcriber
/** Longer than two of Whisper's windows: sentences of three low words and a high one. */
let long: string
let high: string
const LENGTH_S = 62
const LOW = ["alpha", "bravo", "alpha"] as const
const spokenWords: { word: Said; at: number }[] = []
for (let at = 0.5, i = 0; at < LENGTH_S - 4; at += 1.8, i++)
  spokenWords.push({ word: i % 4 === 3 ? "delta." : LOW[i % 4]!, at })

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-whisper-"))
  models = join(dir, "models")
  putModels(models, ["silero-vad", "whisper-tiny", "whisper-base"])
  engine = toneEngine(models, undefined, null).engine
  long = join(dir, "long.wav")
  writeWav(long, spoken(spokenWords), LENGTH_S)
  high = join(dir, "high.wav")
  writeWav(high, spoken([1, 3, 5].map((at) => ({ word: "delta.", at }))), 8)
})
afterAll(async () => {
  await engine.close()
  rmSync(dir, { recursive: true })
})

const transcribe = (
  path: string,
  more: { model?: string; language?: string | null; by?: Transcriber } = {},
): Promise<Transcript> => {
  const { model = "tiny", language = "en", by = engine } = more
  return by.transcribe(request(path, { model, language, speakers: 1 }))
}
const checkShape = ({ words, duration_s }: Transcript): void => {
  expect(readTranscript(words).words).toEqual(words)
  expect(words.at(-1)!.end).toBeLessThanOrEqual(duration_s)
}

describe("Whisper with sherpa's real loader", () => {
  it.each(["tiny", "whisper-tiny"])(
    "is available as %s and derives word times from attention weights",
    async (model) => {
      const result = await transcribe(long, { model })
      expect(result).toMatchObject({ engine: "sherpa", model: "whisper-tiny", language: "en", estimatedTimes: false })
      checkShape(result)
      expect(result.words.map((w) => w.word)).toEqual(spokenWords.map((w) => w.word))
      for (const [i, { start }] of result.words.entries())
        expect(Math.abs(start - spokenWords[i]!.at)).toBeLessThan(0.25)
    },
  )

  it("estimates word times within sentences if the model exports no attention, and notes it", async () => {
    const result = await transcribe(long, { model: "base" })
    expect(result).toMatchObject({ model: "whisper-base", estimatedTimes: true })
    checkShape(result)
    expect(result.words.map((w) => w.word)).toEqual(spokenWords.map((w) => w.word))
    // A sentence has four words, and no estimated time is off by more than its length.
    for (const [i, { start }] of result.words.entries()) expect(Math.abs(start - spokenWords[i]!.at)).toBeLessThan(4)
    // The last sentence has no end time, but its words have a length.
    for (const { start, end } of result.words) expect(end).toBeGreaterThan(start)
  })

  it("detects the language if none is given, and uses the given one", async () => {
    expect((await transcribe(high, { language: null })).language).toBe("de")
    expect((await transcribe(long, { language: null })).language).toBe("en")
    expect((await transcribe(high, { language: "en" })).language).toBe("en")
    expect((await transcribe(high, { language: "ja" })).language).toBe("ja")
  })

  it("transcribes a language that Parakeet does not support if no model is named", async () => {
    putWhisper(models, "tiny", "small")
    const result = await engine.transcribe(request(high, { language: "ja-JP", speakers: 1 }))
    expect(result).toMatchObject({ model: "whisper-small", language: "ja" })
    expect(result.words).toHaveLength(3)
  })

  it("rejects an unsupported language before it loads a model", async () => {
    const { engine: fresh, loads } = toneEngine(models)
    await expect(fresh.transcribe(request(high, { model: "tiny", language: "tlh" }))).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/whisper-tiny does not support the language 'tlh'.*"" to detect/),
    })
    expect(loads()).toEqual([])
    await fresh.close()
  })

  it.each(["tiny", "base"] as const)("keeps characters that span several tokens (%s)", async (size) => {
    const own = join(dir, `halves-${size}`)
    putModels(own, ["silero-vad"])
    const folder = putWhisper(own, size)
    const halves = [[0x20, 0xd7], [0xa9], [0x20, 0xe6], [0x97], [0xa5], [0x20, 0xc3], [0xa9], [0x2e]]
    const tokens = halves.map((bytes, id) => `${Buffer.from(bytes).toString("base64")} ${id}\n`)
    writeFileSync(join(folder, `${size}-tokens.txt`), tokens.join(""))
    const words: Said[] = ["alpha", "bravo", "charlie", "delta."]
    const path = join(dir, "letters.wav")
    writeWav(path, spoken(words.map((word, i) => ({ word, at: 1 + 2 * i }))), 10)
    const by = toneEngine(own).engine
    const { words: result } = await transcribe(path, { model: size, by }).finally(() => by.close())
    expect(result.map((w) => w.word)).toEqual(["ש", "日", "é."])
  })
})
