import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cutAtPauses } from "#lib/engines/speech/audio/chunks.ts"
import { decodePcm, SAMPLE_RATE } from "#lib/engines/speech/audio/decode.ts"
import { probeMedia } from "#lib/engines/speech/audio/probe-media.ts"
import { badWav } from "#test/fixtures/bad-wav.ts"
import { liveBufferBytes } from "#test/fixtures/memory.ts"
import { make, request, SAMPLE, sphinx } from "./helpers.ts"

const signal = new AbortController().signal
let folder: string
const at = (name: string): string => join(folder, name)

const decodedSeconds = async (path: string): Promise<number> => {
  const { duration_s: declared_s } = await probeMedia(path, signal)
  let samples = 0
  for await (const block of decodePcm({ path, declared_s, signal })) samples += block.length
  return samples / SAMPLE_RATE
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "earmark-decode-"))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

describe("decoding", () => {
  it.each(["wav", "flac", "ogg", "opus", "mp3", "m4a", "webm", "mkv", "aiff", "caf", "aac"])(
    "reads %s, stereo at 44.1 or 48 kHz",
    async (form) => {
      const rate = form === "opus" || form === "webm" ? "48000" : "44100"
      const path = at(`tone.${form}`)
      make("-f", "lavfi", "-i", `sine=frequency=300:sample_rate=${rate}:duration=3`, "-ac", "2", path)
      expect(Math.abs((await decodedSeconds(path)) - 3)).toBeLessThan(0.15)
    },
  )

  it("rejects a sample rate that is too low for audio before decoding", async () => {
    const path = at("slow.wav")
    writeFileSync(path, badWav({ rate: 1 }))
    await expect(decodedSeconds(path)).rejects.toThrow(/sample rate of 1 Hz/)
  })

  it("rejects a recording over the limit, by its header or by its decoded length", async () => {
    const path = at("long.wav")
    make("-f", "lavfi", "-i", "sine=duration=20", path)
    await expect(probeMedia(path, signal, 10)).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringMatching(/longer than 0 hours.*SERVICE_MAX_AUDIO_HOURS/),
    })
    expect(await probeMedia(path, signal, 30)).toEqual({ duration_s: 20 })
    let samples = 0
    const reading = async () => {
      for await (const block of decodePcm({ path, declared_s: null, maxDuration_s: 10, signal }))
        samples += block.length
    }
    await expect(reading()).rejects.toMatchObject({ code: "too_large" })
    expect(samples).toBeLessThanOrEqual(10 * SAMPLE_RATE)
  })

  it("reads a file whose name looks like an option or an address", async () => {
    const path = at("-i http:@host:80?x=1 %d.wav")
    make("-f", "lavfi", "-i", "sine=duration=1", at("plain.wav"))
    writeFileSync(path, readFileSync(at("plain.wav")))
    expect(await decodedSeconds(path)).toBeCloseTo(1, 1)
  })

  it("keeps less than 8 MB of an hour of audio in memory while it streams", async () => {
    const path = at("hour.flac")
    make("-f", "lavfi", "-i", "sine=frequency=200:sample_rate=16000:duration=3600", path)
    const before = liveBufferBytes()
    let peakLive = 0
    let peakWithGarbage = 0
    let seconds = 0
    let chunks = 0
    const blocks = decodePcm({ path, declared_s: 3600, signal })
    for await (const chunk of cutAtPauses(blocks, { min_s: 8, max_s: 24 })) {
      seconds += chunk.pcm.length / SAMPLE_RATE
      peakWithGarbage = Math.max(peakWithGarbage, process.memoryUsage().arrayBuffers - before)
      if (chunks++ % 10 === 0) peakLive = Math.max(peakLive, liveBufferBytes() - before)
    }
    expect(seconds).toBeCloseTo(3600, 0)
    expect(peakLive).toBeLessThan(8 * 2 ** 20)
    // How much garbage V8 leaves uncollected differs between versions of Node, but it is never the whole decoded hour.
    expect(peakWithGarbage).toBeLessThan(3600 * SAMPLE_RATE * Int16Array.BYTES_PER_ELEMENT)
  })
})

describe("a recording that cannot be decoded fails without a retry", () => {
  const refused = async (path: string): Promise<string> => {
    try {
      await sphinx().transcribe(request(path))
    } catch (error) {
      expect(error).toMatchObject({ code: "unsupported_media", retry: "never" })
      return (error as Error).message
    }
    throw new Error(`${path} was not refused`)
  }

  it("a truncated FLAC file", async () => {
    writeFileSync(at("cut.flac"), readFileSync(SAMPLE).subarray(0, 200_000))
    expect(await refused(at("cut.flac"))).toMatch(/the file is truncated. It ends after 1\d of 160 s/)
  })

  it("an M4A file without its index", async () => {
    make("-f", "lavfi", "-i", "sine=duration=20", at("whole.m4a"))
    writeFileSync(at("cut.m4a"), readFileSync(at("whole.m4a")).subarray(0, 60_000))
    expect(await refused(at("cut.m4a"))).toContain("Couldn't decode")
  })

  it("a video without audio", async () => {
    make("-f", "lavfi", "-i", "testsrc=duration=1", at("silent-film.mp4"))
    expect(await refused(at("silent-film.mp4"))).toContain("has no audio track")
  })

  it.each([
    ["a tag and nothing after it", Buffer.from("ID3\x03\0\0\0\0\0\0", "latin1")],
    ["a playlist behind a tag", Buffer.from("ID3\x03\0\0\0\0\0\0#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", "latin1")],
    ["a playlist", Buffer.from("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n")],
    ["a concat script", Buffer.from("ffconcat version 1.0\nfile /etc/passwd\n")],
    ["bytes of no meaning", Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 7919) % 251))],
  ])("%s", async (name, bytes) => {
    const path = at(`${name}.mp3`)
    writeFileSync(path, bytes)
    const message = await refused(path)
    expect(message).toContain(path)
    expect(message).not.toContain("passwd")
  })
})

describe("languages, models and silence", () => {
  it("returns no words for silence", async () => {
    make("-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono", "-t", "30", at("silence.wav"))
    const result = await sphinx().transcribe(request(at("silence.wav")))
    expect(result).toMatchObject({ words: [], duration_s: 30 })
  })

  it("returns few words for noise without speech", async () => {
    make("-f", "lavfi", "-i", "sine=frequency=200:duration=6", at("tone-only.wav"))
    expect((await sphinx().transcribe(request(at("tone-only.wav")))).words.length).toBeLessThan(10)
  })

  it.each(["de", "fr", "eng-x"])("rejects the language %s, because it supports only English", async (language) => {
    await expect(sphinx().transcribe(request(SAMPLE, { language }))).rejects.toMatchObject({
      code: "invalid",
      retry: "never",
      message: expect.stringContaining("supports only English"),
    })
  })

  it("rejects an unknown model", async () => {
    await expect(sphinx().transcribe(request(SAMPLE, { model: "large-v3" }))).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("en-us"),
    })
  })
})
