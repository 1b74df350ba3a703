import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { wavOf } from "#test/fixtures/tones.ts"
import { AppError } from "../../domain/errors.ts"
import { recordingKey } from "../../storage/blobs/keys.ts"
import type { BlobStore } from "../../storage/blobs/types.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { getWaveform, linkOrigin, openClipAudio } from "./clip-audio.ts"

const WAV = wavOf(new Int16Array(1000))
const signal = new AbortController().signal

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
afterEach(() => node.store.clips.delete("a"))
afterAll(() => node.end())

const addOwnFile = async (id = "a") => {
  const path = node.at(`${id}.wav`)
  writeFileSync(path, WAV)
  await node.addClip(id, { file_path: path })
  return path
}
const addUpload = async (bytes = WAV, name = "a.wav") => {
  const incoming = await node.blobs.receive(Readable.from([bytes]), { maxBytes: 10_000 })
  const key = recordingKey(incoming.sha256, name)
  await incoming.keep(key)
  await node.addClip("a", { file_path: node.blobs.addressOf(key) })
  return key
}

describe("openClipAudio", () => {
  it.each([
    ["the caller's own file", () => addOwnFile()],
    ["an upload", () => addUpload()],
  ])("reads %s", async (_, add) => {
    await add()
    const audio = await openClipAudio(node, { id: "a" })
    expect(audio).toMatchObject({ size: WAV.length, type: "audio/wav" })
    expect(Math.abs(audio.mtimeMs - Date.now())).toBeLessThan(60_000)
    expect(await audio.link()).toBeNull()
    const { path, remove } = await audio.file(signal)
    expect([path.startsWith(node.dir), remove]).toEqual([true, undefined])
    expect(await buffer(audio.read({ start: 8, end: 11 }))).toEqual(Buffer.from("WAVE"))
  })

  it("recognizes an upload by its first bytes", async () => {
    await addUpload(Buffer.from("fLaC and so on"))
    const audio = await openClipAudio(node, { id: "a" })
    expect(audio.type).toBe("audio/flac")
    await audio.close()
  })

  it("links to the storage only if the settings allow it", async () => {
    const key = await addUpload()
    const link = vi.fn<BlobStore["link"]>(async (key, type) => `https://s3.example:9000/${key}?type=${type}`)
    const deps = { ...node, blobs: { ...node.blobs, link } }
    const redirecting = { ...deps, config: { ...node.config, blobs: { ...node.config.blobs, redirect: true } } }
    const linkOf = async (deps: TestNode) => {
      const audio = await openClipAudio(deps, { id: "a" })
      await audio.close()
      return audio.link()
    }
    expect([await linkOf(deps), await linkOrigin(deps)]).toEqual([null, null])
    expect(await linkOf(redirecting)).toBe(`https://s3.example:9000/${key}?type=audio/wav`)
    expect(await linkOrigin(redirecting)).toBe("https://s3.example:9000")
    link.mockResolvedValue(null)
    expect(await linkOrigin(redirecting)).toBeNull()
  })

  it("finds no recording for an unknown clip, a transcript and a deleted upload", async () => {
    const open = () => openClipAudio(node, { id: "a" })
    await expect(open()).rejects.toMatchObject({ status: 404, message: "unknown clip 'a'" })
    await node.addClip("a")
    await expect(open()).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/^clip 'a' has no recording/),
    })
    await node.store.clips.delete("a")
    const key = await addUpload()
    await node.blobs.remove(key)
    await expect(open()).rejects.toMatchObject({
      status: 404,
      message: `no such file: ${node.blobs.addressOf(key)}. Uploaded recordings are stored in ${node.blobs.location}.`,
    })
    await node.store.clips.delete("a")
    await node.addClip("a", { file_path: "s3://bucket/a.wav" })
    await expect(open()).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/^no such file: s3:\/\/bucket\/a\.wav\./),
    })
  })

  it("refuses the caller's own file once it is outside the permitted folders", async () => {
    const path = await addOwnFile()
    const config = { ...node.config, roots: [node.at("elsewhere")] }
    await expect(openClipAudio({ ...node, config }, { id: "a" })).rejects.toMatchObject({ code: "forbidden" })
    mkdirSync(node.at("elsewhere"))
    symlinkSync(path, node.at("elsewhere/b.wav"))
    await node.addClip("b", { file_path: node.at("elsewhere/b.wav") })
    await expect(openClipAudio({ ...node, config }, { id: "b" })).rejects.toMatchObject({ code: "forbidden" })
  })
})

describe("getWaveform", () => {
  const waveform = { duration_s: 1, peaks: [0, 255] }
  const withSpeech = (computeWaveform: TestNode["engines"]["speech"]["computeWaveform"]) => ({
    ...node,
    engines: { ...node.engines, speech: { ...node.engines.speech, computeWaveform } },
  })

  it("computes the waveform once for each version of the recording", async () => {
    const path = await addOwnFile()
    const compute = vi.fn(async () => waveform)
    const deps = withSpeech(compute)
    const get = () => getWaveform(deps, { id: "a" }, signal)
    expect(await Promise.all([get(), get(), get()])).toEqual([waveform, waveform, waveform])
    expect(await get()).toEqual(waveform)
    expect(compute).toHaveBeenCalledOnce()
    utimesSync(path, 1, 1)
    await get()
    expect(compute).toHaveBeenCalledTimes(2)
  })

  it("stores the waveform even if the client has disconnected", async () => {
    await addOwnFile()
    const deps = withSpeech(async () => waveform)
    await expect(getWaveform(deps, { id: "a" }, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone")
    const failing = withSpeech(() => Promise.reject(new Error("not stored")))
    await expect.poll(() => getWaveform(failing, { id: "a" }, signal).catch(String)).toEqual(waveform)
  })

  it("names the recording in an error, removes its temporary copy, and tries again later", async () => {
    await addUpload()
    const remove = vi.fn(async () => {})
    const blobs = { ...node.blobs, file: async () => ({ path: "/tmp/copy.wav", remove }) }
    const fail = async (path: string) => {
      throw new AppError("unsupported_media", `Couldn't decode ${path}.`)
    }
    const get = (deps: TestNode) => getWaveform({ ...deps, blobs }, { id: "a" }, signal)
    await expect(get(withSpeech(fail))).rejects.toThrow("Couldn't decode Clip a.")
    expect(remove).toHaveBeenCalledOnce()
    expect(await get(withSpeech(async () => waveform))).toEqual(waveform)
    expect(remove).toHaveBeenCalledTimes(2)
  })

  it("names a recording whose clip is deleted meanwhile", async () => {
    await addOwnFile()
    const deps = withSpeech(async (path) => {
      await node.store.clips.delete("a")
      throw new AppError("unsupported_media", `Couldn't decode ${path}.`)
    })
    await expect(getWaveform(deps, { id: "a" }, signal)).rejects.toThrow("Couldn't decode the recording.")
  })
})
