import { beforeAll, describe, expect, it } from "vitest"
import { transcript } from "#lib/contracts/words.ts"
import type { TranscribeProgress, Transcript } from "#lib/speech/types.ts"
import { request, SAMPLE, sphinx, truth, wordErrorRate } from "./speech-kit.ts"

describe("PocketSphinx hears the bundled recording", () => {
  const told: TranscribeProgress[] = []
  let heard: Transcript

  beforeAll(async () => {
    heard = await sphinx().transcribe(request(SAMPLE, { progress: (p) => told.push(p) }))
  }, 180_000)

  it("recognises it: fewer than 20 words in 100 are wrong", () => {
    expect(
      wordErrorRate(
        truth().text,
        heard.words.map((w) => w.word),
      ),
    ).toBeLessThan(0.2)
  })

  it("gives spans that the contract accepts, inside the recording", () => {
    expect(transcript.parse(heard.words)).toEqual(heard.words)
    expect(heard.duration_s).toBeCloseTo(truth().duration_s, 1)
    expect(heard.words.at(-1)!.end).toBeLessThanOrEqual(heard.duration_s)
    expect(new Set(heard.words.map((w) => w.speaker))).toEqual(new Set(["0"]))
    expect(heard.words.filter((w) => /[<>[\]()+]/.test(w.word))).toEqual([])
  })

  it("keeps true times: the first word after each border starts within 0.15 s of it", () => {
    for (const border of truth().borders_s) {
      const nearest = Math.min(...heard.words.map((w) => Math.abs(w.start - border)))
      expect(nearest).toBeLessThan(0.15)
    }
  })

  it("says who heard it", () => {
    expect(heard).toMatchObject({
      engine: "pocketsphinx",
      model: "en-us",
      language: "en",
      diarized: false,
      estimatedTimes: false,
    })
  })

  it("tells progress in seconds of sound, rising to the whole in several steps", () => {
    const done = told.map((p) => p.done)
    expect(done.length).toBeGreaterThan(5)
    expect(done[0]).toBe(0)
    expect(done).toEqual([...done].sort((a, b) => a - b))
    expect(done.at(-1)).toBeCloseTo(heard.duration_s, 1)
    expect(told.every((p) => p.phase === "speech" && p.total >= p.done && p.total < heard.duration_s + 1)).toBe(true)
  })
})
