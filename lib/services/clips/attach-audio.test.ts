import { writeFileSync } from "node:fs"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { wavOf } from "#test/fixtures/tones.ts"
import { uuid5 } from "../../domain/ids.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { attachAudio } from "./attach-audio.ts"
import { openClipAudio } from "./clip-audio.ts"

const signal = new AbortController().signal
const SAMPLE_RATE = 16_000

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
afterEach(async () => {
  await node.store.clips.delete("a")
})
afterAll(() => node.end())

const writeRecording = (seconds: number, name = `${seconds}.wav`): string => {
  const path = node.at(name)
  writeFileSync(path, wavOf(new Int16Array(seconds * SAMPLE_RATE)))
  return path
}
/** Adds a clip without a recording, whose last word ends at this second. */
const addTranscript = (end: number) =>
  node.addClip("a", { words: [{ word: "end", start: end - 1, end, speaker: "0" }] })

describe("attachAudio", () => {
  it("stores a recording whose length fits, and leaves the words as they are", async () => {
    await addTranscript(5)
    const path = writeRecording(6)
    const clip = await attachAudio(node, { id: "a", source: path }, signal)
    expect(clip).toMatchObject({ file_path: path, transcription: [{ word: "end" }] })
    const audio = await openClipAudio(node, { id: "a" })
    expect(audio.type).toBe("audio/wav")
    await audio.close()
    await expect(attachAudio(node, { id: "a", source: path }, signal)).rejects.toMatchObject({ code: "conflict" })
  })

  it.each([
    ["ends before the last word", 2],
    ["goes on for minutes after it", 200],
  ])("refuses a recording that %s", async (_, seconds) => {
    await addTranscript(5)
    await expect(attachAudio(node, { id: "a", source: writeRecording(seconds) }, signal)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^source: the recording is .+ long, but the transcript ends at 0:05/),
    })
    expect((await node.store.clips.get("a"))?.file_path).toBeNull()
  })

  it("refuses the recording of another clip", async () => {
    await addTranscript(5)
    const path = writeRecording(6, "own.wav")
    const other = uuid5(path)
    await node.addClip(other, { title: "Own" })
    await expect(attachAudio(node, { id: "a", source: path }, signal)).rejects.toMatchObject({
      code: "conflict",
      message: `source: this recording is the clip '${other}' (Own) already.`,
    })
    await node.store.clips.delete(other)
  })

  it("refuses files without audio, addresses and unknown clips", async () => {
    await addTranscript(5)
    const text = node.at("notes.txt")
    writeFileSync(text, "no sound")
    const attach = (source: string, id = "a") => attachAudio(node, { id, source }, signal)
    await expect(attach(text)).rejects.toMatchObject({ code: "unsupported_media" })
    await expect(attach("https://example.com/a.mp3")).rejects.toMatchObject({ code: "invalid" })
    await expect(attach("name:crm-17")).rejects.toMatchObject({ code: "invalid" })
    await expect(attach("/etc/passwd")).rejects.toMatchObject({ code: "forbidden" })
    await expect(attach(text, "nobody")).rejects.toMatchObject({ code: "not_found" })
  })
})
