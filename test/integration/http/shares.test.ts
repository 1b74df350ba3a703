import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createClient } from "#lib/api/client/index.ts"
import { newId, uuid5 } from "#lib/domain/ids.ts"
import { randomSecret } from "#lib/domain/token-secrets.ts"
import { setHttpDeps } from "#lib/http/container.ts"
import type { HttpServer } from "#lib/http/server/http-server.ts"
import { createJobParser } from "#lib/http/uploads/job-parser.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { errorOf } from "#test/fixtures/client-errors.ts"
import { answerBy, loadRoutes } from "#test/fixtures/routes.ts"
import { raw, serve, silent, tempConfig } from "#test/fixtures/web.ts"

const TOKEN = "a-token-of-the-settings"
const { config, dir, remove } = tempConfig({ SERVICE_API_TOKEN: TOKEN })
const sound = readFileSync(join(packageRoot(), "public/samples/three-subjects.flac"))
let node: Node
let server: HttpServer
let client: ReturnType<typeof createClient>

beforeAll(async () => {
  node = await openNode(config, silent)
  const viz = openVizCompute({ workerFile: join(dir, "absent.js"), log: silent })
  setHttpDeps({ parseJob: createJobParser(), ...node, viz, root: dir, stopping: new AbortController().signal })
  server = await serve(config, answerBy(await loadRoutes()))
  client = createClient({ baseUrl: server.url, token: TOKEN })
})
afterAll(async () => {
  await server.close({ deadlineMs: 0 })
  await node.close()
  remove()
})

/** Adds a clip of a minute: bees, and from 30 s on whales, by two speakers. */
const addClip = async (withAudio = true): Promise<string> => {
  const id = uuid5(newId())
  const file_path = join(dir, `${id}.flac`)
  if (withAudio) writeFileSync(file_path, sound)
  const say = (text: string, from: number, speaker: string) =>
    text.split(" ").map((word, i) => ({ word, start: from + i, end: from + i + 0.5, speaker }))
  const words = [...say("Bees dance in the secret hive.", 0, "0"), ...say("Whales sing.", 30, "1")]
  const columns = {
    words,
    duration_s: 60,
    language: "en",
    speech_engine: null,
    whisper_model: null,
    channel: null,
    published_at: null,
    diarized: null,
    estimated_times: null,
    notes: [],
  }
  const clip = { title: "Animals", source_url: "https://example.org/animals", file_path: withAudio ? file_path : null }
  await node.store!.clips.saveTranscript(id, clip, columns as never)
  const topic = (title: string, start_s: number, end_s: number, children: object[] = []) => ({
    title,
    summary: "",
    start_s,
    end_s,
    children,
  })
  const tree = { topics: [topic("Animals", 0, 60, [topic("The bees", 0, 30), topic("The whales", 30, 60)])] }
  await node.store!.topics.save(id, { tree, topics: [], vectors: [], provider: "builtin", llm_model: null } as never)
  await client.editClip(id, { speakers: { "0": "Ada", "1": "Grace" } })
  return id
}
const open = (path: string, headers: Record<string, string> = {}) => raw(server.url, path, { headers })

describe("a share link", () => {
  it("shows the whole recording without a token, and nothing else opens without one", async () => {
    const id = await addClip()
    const share = await client.createShare(id, {})
    expect(share).toMatchObject({ clip_id: id, title: "Animals", start_s: null, with_audio: true, expires_at: null })
    const page = await open(share.path)
    expect(page.status).toBe(200)
    expect(page.text).toContain("Bees dance in the secret hive.")
    expect(page.text).toContain("Grace")
    expect(page.text).not.toMatch(/example\.org|\.flac|earmark-http/)
    expect(page.headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "cache-control": "no-store",
    })
    const [, nonce] = /'nonce-([^']+)'/.exec(String(page.headers["content-security-policy"]))!
    expect(page.text).toContain(`<script nonce="${nonce}">`)
    const audio = await open(`${share.path}/audio`, { range: "bytes=0-3" })
    expect([audio.status, audio.headers["content-range"]]).toEqual([206, `bytes 0-3/${sound.length}`])
    for (const path of [`/clips/${id}`, `/clips/${id}/audio`, "/shares", `${share.path}/export`, "/share/", "/share"])
      expect([path, (await open(path)).status]).toEqual([path, 401])
  })

  it("of a topic shows and plays only the topic", async () => {
    const id = await addClip()
    const share = await client.createShare(id, { topic: "1.2" })
    expect(share).toMatchObject({ title: "The whales", start_s: 30, end_s: 60 })
    const page = await open(share.path)
    expect(page.text).toContain("<h1>The whales</h1>")
    expect(page.text).toContain("Whales sing.")
    expect(page.text).not.toMatch(/Bees|hive|Ada|Animals/)
    const audio = await open(`${share.path}/audio`, { range: "bytes=0-1" })
    expect([audio.status, audio.headers["content-type"]]).toEqual([206, "audio/mpeg"])
    const size = Number(String(audio.headers["content-range"]).split("/")[1])
    // 64 kbit/s: the sample has 60 s.
    expect(size).toBeGreaterThan(20_000)
    expect(size).toBeLessThan(30 * 8000 + 10_000)
  })

  it("has no audio if it was made without, or if the clip has no recording", async () => {
    for (const share of [
      await client.createShare(await addClip(), { with_audio: false }),
      await client.createShare(await addClip(false), {}),
    ]) {
      expect(share.with_audio).toBe(false)
      expect((await open(share.path)).text).not.toContain("<audio")
      expect((await open(`${share.path}/audio`)).status).toBe(404)
    }
  })

  it("answers alike when it was guessed, expired, revoked, or belongs to a deleted clip", async () => {
    const id = await addClip()
    const secret = randomSecret()
    const whole = { clipId: id, startS: null, endS: null, withAudio: true }
    await node.store!.shares.create({ ...whole, id: "expired", secret, expiresAt: Date.now() - 1 })
    const revoked = await client.createShare(id, {})
    const orphaned = await client.createShare(await addClip(), {})
    await client.revokeShare(revoked.id)
    await client.deleteClip(orphaned.clip_id)
    const details = []
    for (const path of [`/share/${secret}`, revoked.path, orphaned.path, `/share/${"0".repeat(50)}`]) {
      const { status, json } = await open(path)
      details.push([status, (json as { detail: string }).detail])
    }
    expect(new Set(details.map((d) => JSON.stringify(d)))).toEqual(
      new Set([JSON.stringify([404, "This link does not exist, has expired or was revoked. Ask for a new one."])]),
    )
    expect((await client.shares({ clip_id: id })).shares.map((share) => share.id)).toEqual(["expired"])
  })

  it("is answered with 429 after ten that do not work, while those that work still open", async () => {
    const share = await client.createShare(await addClip(), {})
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await open(`/share/guess${i}`)).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await open(share.path)).status).toBe(200)
  })

  it("is refused for an unknown clip or topic, and an expiry in the past", async () => {
    const id = await addClip()
    const statusOf = async (work: Promise<unknown>) => (await errorOf(work))[0]
    expect(await statusOf(client.createShare("unknown", {}))).toBe(404)
    expect(await statusOf(client.createShare(id, { topic: "1.9" }))).toBe(404)
    expect(await statusOf(client.createShare(id, { topic: "x" }))).toBe(422)
    expect(await statusOf(client.createShare(id, { expires_at: "2020-01-01T00:00:00Z" }))).toBe(422)
    expect(await statusOf(client.revokeShare("unknown"))).toBe(404)
  })
})

describe("an exported recording", () => {
  it("is a page that contains its audio", async () => {
    const id = await addClip()
    const html = Buffer.from(await client.exportFile(id, "html", { withAudio: true })).toString()
    const [, type, data] = /id="audio-data" data-type="([^"]+)">\s*([\s\S]*?)<\/script>/.exec(html)!
    expect(type).toBe("audio/flac")
    expect(Buffer.from(data!.replaceAll("\n", ""), "base64").equals(sound)).toBe(true)
    expect((await errorOf(client.exportFile(id, "pdf", { withAudio: true })))[1]).toContain("only the format html")
  })

  it("is a Word and a PDF file", async () => {
    const id = await addClip()
    const start = async (format: "docx" | "pdf") =>
      Buffer.from((await client.exportFile(id, format)).slice(0, 4)).toString()
    expect([await start("docx"), await start("pdf")]).toEqual(["PK\u0003\u0004", "%PDF"])
  })

  it("is a part of the audio, in ranges", async () => {
    const id = await addClip()
    const headers = { authorization: `Bearer ${TOKEN}`, range: "bytes=0-99" }
    const part = await open(`/clips/${id}/audio/excerpt?start_s=1&end_s=3`, headers)
    expect(part.headers).toMatchObject({
      "content-type": "audio/mpeg",
      "content-disposition": expect.stringContaining('filename="excerpt-1-3.mp3"'),
    })
    expect(part.status).toBe(206)
    for (const query of ["start_s=3&end_s=3", "start_s=70&end_s=80", "start_s=-1&end_s=2", "start_s=1"])
      expect((await open(`/clips/${id}/audio/excerpt?${query}`, headers)).status).toBe(422)
  })
})
