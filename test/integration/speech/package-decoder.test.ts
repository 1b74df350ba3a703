import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { decodePcm } from "#lib/engines/speech/audio/decode.ts"
import { probeMedia } from "#lib/engines/speech/audio/probe-media.ts"
import { make } from "./helpers.ts"

let dir: string
const path = process.env.PATH
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-plain-"))
})
afterAll(() => rmSync(dir, { recursive: true }))
afterEach(() => {
  process.env.PATH = path
})

/** Returns two seconds of 440 Hz in stereo, encoded by ffmpeg. */
const tone = (name: string, ...more: string[]): string => {
  const file = join(dir, name)
  make("-f", "lavfi", "-i", "sine=frequency=440:duration=2:sample_rate=44100", "-ac", "2", ...more, file)
  return file
}
const withoutFfmpeg = (): void => {
  process.env.PATH = "/nonexistent"
}
const decode = async (file: string): Promise<Int16Array> => {
  const signal = new AbortController().signal
  const { duration_s: declared_s } = await probeMedia(file, signal)
  const blocks: number[] = []
  for await (const block of decodePcm({ path: file, declared_s, signal })) for (const x of block) blocks.push(x)
  return Int16Array.from(blocks)
}
/** Returns the share of the power at a frequency (Goertzel). */
const shareAt = (pcm: Int16Array, hz: number): number => {
  let [re, im, all] = [0, 0, 0]
  for (const [i, x] of pcm.entries()) {
    re += x * Math.cos((2 * Math.PI * hz * i) / 16_000)
    im += x * Math.sin((2 * Math.PI * hz * i) / 16_000)
    all += x * x
  }
  return (2 * (re * re + im * im)) / pcm.length / all
}

describe("decoding without ffmpeg", () => {
  it.each([
    ["tone.wav", []],
    ["tone.flac", []],
    ["tone.mp3", []],
    ["tone.m4a", ["-c:a", "aac"]],
    ["tone.ogg", ["-c:a", "libvorbis"]],
    ["tone.opus", ["-c:a", "libopus", "-ar", "48000"]],
    ["tone.aiff", []],
    ["slow.wav", ["-ar", "8000"]],
  ])("gives the same sound as ffmpeg for %s", async (name, form) => {
    const file = tone(name, ...form)
    const reference = await decode(file)
    withoutFfmpeg()
    const pcm = await decode(file)
    expect(Math.abs(pcm.length - reference.length)).toBeLessThan(16_000 * 0.1)
    expect(shareAt(pcm.subarray(2000, 30_000), 440)).toBeGreaterThan(0.95)
    const power = (x: Int16Array) => Math.sqrt(x.reduce((sum, v) => sum + v * v, 0) / x.length)
    expect(power(pcm) / power(reference)).toBeGreaterThan(0.9)
    expect(power(pcm) / power(reference)).toBeLessThan(1.1)
  })

  it("rejects WebM and names the package to install", async () => {
    const file = tone("tone.webm", "-c:a", "libopus", "-ar", "48000")
    withoutFfmpeg()
    await expect(decode(file)).rejects.toMatchObject({
      code: "unsupported_media",
      message: expect.stringMatching(/needs ffmpeg.*apt-get install ffmpeg/),
    })
  })

  it("rejects a file over its size limit", async () => {
    const file = tone("large.wav")
    truncateSync(file, 101 * 2 ** 20)
    withoutFfmpeg()
    await expect(decode(file)).rejects.toThrow(/larger than 100 MB.*Install ffmpeg/)
  })

  it("rejects bytes that are not audio with a message", async () => {
    const file = join(dir, "broken.flac")
    writeFileSync(file, Buffer.concat([Buffer.from("fLaC"), Buffer.alloc(5000, 7)]))
    withoutFfmpeg()
    await expect(decode(file)).rejects.toMatchObject({ code: "unsupported_media" })
  })
})
