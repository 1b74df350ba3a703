import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { request as ask, createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openModelHost, YT_DLP } from "#test/fixtures/model-host.ts"
import { EngineUnavailableError } from "../errors.ts"
import { currentOwner, formatOwner } from "./lock.ts"
import { createModelRegistry } from "./registry.ts"
import type { ModelRegistryOptions } from "./types.ts"

const TINY = "whisper-tiny"
const [ENCODER, DECODER] = ["tiny-encoder.int8.onnx", "tiny-decoder.int8.onnx"]

let dir: string
let host: Awaited<ReturnType<typeof openModelHost>>
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "earmark-registry-"))
  host = await openModelHost()
})
afterEach(async () => {
  await host.close()
  rmSync(dir, { recursive: true })
})

const registry = (more: Partial<ModelRegistryOptions> = {}) =>
  createModelRegistry({ dir, offline: false, mirror: host.url, proxy: undefined, idleMs: 400, pauseMs: 10, ...more })
const given = (more: { signal?: AbortSignal; progress?: (done: number, total: number) => void } = {}) => ({
  signal: new AbortController().signal,
  progress: () => {},
  ...more,
})
const isWhole = (folder: string): boolean =>
  [...host.files]
    .filter(([name]) => name.startsWith("tiny"))
    .every(([name, content]) => readFileSync(join(folder, name)).equals(content))

describe("pulling a model", () => {
  it("brings every file, tells bytes, and is not asked for twice", async () => {
    const told: [number, number][] = []
    const models = registry()
    const folder = await models.ensure("tiny", given({ progress: (...p) => told.push(p) }))
    expect(folder).toBe(join(dir, TINY))
    expect(isWhole(folder)).toBe(true)
    expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).sort((a, b) => a - b))
    expect(told.at(-1)).toEqual([1_000_007, 1_000_007])
    const before = host.asked.length
    await registry().ensure(TINY, given())
    expect(host.asked.length).toBe(before)
    expect((await models.list()).find((m) => m.name === TINY)).toMatchObject({ state: "present", licence: "MIT" })
  })

  it("goes on where a connection was cut, however often", async () => {
    host.trouble(DECODER, { kind: "cut", times: 4, after: 150_000 })
    expect(isWhole(await registry().ensure(TINY, given()))).toBe(true)
    const ranges = host.asksFor(DECODER).map(({ range }) => range)
    expect(ranges).toHaveLength(5)
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ""))).toBe(true)
  })

  it("gives up a silent connection and makes another", async () => {
    host.trouble(ENCODER, { kind: "stall", times: 1, after: 100_000 })
    expect(isWhole(await registry().ensure(TINY, given()))).toBe(true)
    expect(host.asksFor(ENCODER)).toHaveLength(2)
  })

  it("waits for a server that is busy for a moment", async () => {
    host.trouble(ENCODER, { kind: "error", times: 2, after: 0 })
    expect(isWhole(await registry().ensure(TINY, given()))).toBe(true)
  })

  it("fetches anew what came with a wrong checksum, small files too", async () => {
    host.trouble(DECODER, { kind: "corrupt", times: 1, after: 0 })
    host.trouble("tiny-tokens.txt", { kind: "corrupt", times: 1, after: 0 })
    expect(isWhole(await registry().ensure(TINY, given()))).toBe(true)
  })

  it("says what to do about one that stays wrong, and leaves nothing of it on the registry", async () => {
    host.trouble(DECODER, { kind: "corrupt", times: 99, after: 0 })
    const models = registry()
    const failure = await models.ensure(TINY, given()).catch((e: unknown) => e)
    expect(failure).toBeInstanceOf(EngineUnavailableError)
    expect(String(failure)).toMatch(
      /whisper-tiny could not be fetched: .*wrong checksum.*earmark models pull whisper-tiny/,
    )
    expect(await models.isPresent(TINY)).toBe(false)
    host.trouble(DECODER, { kind: "corrupt", times: 0, after: 0 })
    expect(isWhole(await models.ensure(TINY, given()))).toBe(true)
  })

  it("says what to do where nobody answers, and where fetching is forbidden", async () => {
    await host.close()
    await expect(registry().ensure(TINY, given())).rejects.toThrow(
      /could not be fetched.*ECONNREFUSED.*SERVICE_MODELS_PROXY/,
    )
    await expect(registry({ offline: true }).ensure(TINY, given())).rejects.toThrow(/SERVICE_MODELS_OFFLINE forbids/)
    expect(await registry().isReachable(TINY)).toBe(false)
  })

  it("keeps what has come when it is stopped, for the next pull", async () => {
    const abort = new AbortController()
    const stop = given({
      signal: abort.signal,
      progress: (done) => done > 350_000 && abort.abort(new Error("stopped")),
    })
    const models = registry()
    await expect(models.ensure(TINY, stop)).rejects.toThrow("stopped")
    expect((await models.list()).find((m) => m.name === TINY)?.state).toBe("partial")
    await models.ensure(TINY, given())
    expect(host.asksFor(DECODER).at(-1)?.range).toMatch(/^bytes=\d+-$/)
    expect(host.asksFor(ENCODER)).toHaveLength(1)
  })

  it("is done once when two want it at the same time; a lock of the dead holds nobody up", async () => {
    const both = [registry(), registry()].map((models) => models.ensure(TINY, given()))
    for (const folder of await Promise.all(both)) expect(isWhole(folder)).toBe(true)
    expect(host.asksFor(ENCODER)).toHaveLength(1)
    await registry().remove(TINY)
    writeFileSync(join(dir, ".incoming", `${TINY}.lock`), formatOwner({ ...(await currentOwner()), startTime: "1" }))
    expect(isWhole(await registry().ensure(TINY, given()))).toBe(true)
  })

  it("tells who waits that another process fetches it", async () => {
    const release = host.hold(ENCODER)
    const told: string[] = []
    const both = ["first", "second"].map((name) =>
      registry().ensure(TINY, { ...given(), waiting: () => told.push(name) }),
    )
    await expect.poll(() => told.length).toBe(1)
    release()
    for (const folder of await Promise.all(both)) expect(isWhole(folder)).toBe(true)
    expect(told).toHaveLength(1)
  })

  it.each([
    ["the page of a network's login", { body: "<html>log in to the hotel</html>" }, /a page comes in its place.*login/],
    ["an empty list", { body: "[]" }, /names no file/],
    ["what is no list", { body: '{"error":"x"}' }, /is no list of files|names no file/],
    ["a list without end", { body: " ".repeat(65_536), endless: true }, /more than 1 MB/],
  ] as const)("takes nothing unchecked: %s", async (_, answer, sentence) => {
    host.answerWith((path) => (/SUMS$|^.api|\.zip$/.test(path) || answer.body.startsWith("<") ? answer : null))
    for (const name of [TINY, "yt-dlp"]) {
      await expect(registry().pull(name, given())).rejects.toThrow(sentence)
      expect(await registry().isPresent(name)).toBe(false)
    }
  })

  it("takes no file that the list does not name", async () => {
    host.answerWith((path) => (path.startsWith("/api") ? { body: '[{"path":"other","oid":"1","size":1}]' } : null))
    await expect(registry().pull(TINY, given())).rejects.toThrow(/does not name tiny-encoder.int8.onnx/)
    expect(host.asksFor(ENCODER)).toEqual([])
  })

  it.each([
    ["does not end", { body: "x".repeat(65_536), endless: true }, /sends more than the 300000 bytes/],
    ["is a page", { body: "<html>", headers: { "content-length": "6" } }, /something of 6 bytes.*login/],
    ["leads on for ever", { status: 302, headers: { location: "/again" } }, /leads on and on/],
    [
      "leads to a file",
      { status: 302, headers: { location: "file:///etc/passwd" } },
      /leads to 'file:.*no web address/,
    ],
    ["leads nowhere", { status: 302, headers: { location: "http://[" } }, /leads to 'http:.*no web address/],
  ] as const)("gives up a file that %s, at once and with a sentence", async (_, answer, sentence) => {
    host.answerWith((path) => (path.endsWith(ENCODER) || path === "/again" ? answer : null))
    await expect(registry({ pauseMs: 60_000 }).pull(TINY, given())).rejects.toThrow(sentence)
    expect(host.asksFor(ENCODER)).toHaveLength(1)
    expect(existsSync(join(dir, ".incoming", TINY, ENCODER))).toBe(false)
  })

  it("says where no folder for models can be made, and does not hang there", async () => {
    const nowhere = registry({ dir: "/proc/nothing/models" })
    await expect(nowhere.pull(TINY, given())).rejects.toThrow(/proc.nothing.* cannot be made.*SERVICE_MODELS_DIR/)
    expect((await nowhere.list()).find((m) => m.name === TINY)).toMatchObject({ state: "absent", fetching: false })
  })

  it("goes through a proxy", async () => {
    const seen: string[] = []
    const proxy = createServer((request, response) => {
      seen.push(request.url ?? "")
      const onward = ask(request.url ?? "", { headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      onward.end()
    })
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    expect(isWhole(await registry({ proxy: url }).ensure(TINY, given()))).toBe(true)
    expect(seen).toHaveLength(4)
    expect(seen.every((address) => address.startsWith(`${host.url}/`))).toBe(true)
    proxy.close()
  })
})

describe("what is on the registry", () => {
  it("is compared with its checksums before it is used", async () => {
    const folder = await registry().ensure(TINY, given())
    writeFileSync(join(folder, DECODER), Buffer.alloc(700_000))
    await expect(registry().ensure(TINY, given())).rejects.toThrow(
      /is damaged \(tiny-decoder.*earmark models pull whisper-tiny/,
    )
    expect(isWhole(await registry().pull(TINY, given()))).toBe(true)
  })

  it("can be removed, and a name that leads elsewhere cannot", async () => {
    await registry().ensure(TINY, given())
    expect(await registry().remove("tiny")).toBe(true)
    expect(existsSync(join(dir, TINY))).toBe(false)
    expect(await registry().remove(TINY)).toBe(false)
    for (const name of ["..", "../x", "a/b", ".incoming", ""])
      await expect(registry().remove(name)).rejects.toThrow(/there is no model/)
    await expect(registry().ensure("no-such-model", given())).rejects.toMatchObject({ code: "invalid" })
  })

  it("holds yt-dlp by its list of checksums, ready to run", async () => {
    const folder = await registry().ensure("yt-dlp", given())
    expect(statSync(join(folder, "yt-dlp")).mode & 0o111).toBe(0o111)
    for (const name of YT_DLP) host.files.set(name, Buffer.from("another"))
    expect(readFileSync(join(await registry().pull("yt-dlp", given()), "yt-dlp"), "utf8")).toBe("another")
  })
})
