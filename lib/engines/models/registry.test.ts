import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer, request as requestHttp } from "node:http"
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
const pullOptions = (more: { signal?: AbortSignal; progress?: (done: number, total: number) => void } = {}) => ({
  signal: new AbortController().signal,
  progress: () => {},
  ...more,
})
const isWhole = (folder: string): boolean =>
  [...host.files]
    .filter(([name]) => name.startsWith("tiny"))
    .every(([name, content]) => readFileSync(join(folder, name)).equals(content))

describe("pulling a model", () => {
  it("downloads every file once and reports bytes", async () => {
    const reported: [number, number][] = []
    const models = registry()
    const folder = await models.ensure("tiny", pullOptions({ progress: (...p) => reported.push(p) }))
    expect(folder).toBe(join(dir, TINY))
    expect(isWhole(folder)).toBe(true)
    expect(reported.map(([done]) => done)).toEqual(reported.map(([done]) => done).sort((a, b) => a - b))
    expect(reported.at(-1)).toEqual([1_000_007, 1_000_007])
    const before = host.asked.length
    await registry().ensure(TINY, pullOptions())
    expect(host.asked.length).toBe(before)
    expect((await models.list()).find((m) => m.name === TINY)).toMatchObject({ state: "present", licence: "MIT" })
  })

  it("resumes after each interrupted connection", async () => {
    host.trouble(DECODER, { kind: "cut", times: 4, after: 150_000 })
    expect(isWhole(await registry().ensure(TINY, pullOptions()))).toBe(true)
    const ranges = host.asksFor(DECODER).map(({ range }) => range)
    expect(ranges).toHaveLength(5)
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ""))).toBe(true)
  })

  it("replaces an idle connection", async () => {
    host.trouble(ENCODER, { kind: "stall", times: 1, after: 100_000 })
    expect(isWhole(await registry().ensure(TINY, pullOptions()))).toBe(true)
    expect(host.asksFor(ENCODER)).toHaveLength(2)
  })

  it("retries if the server is briefly unavailable", async () => {
    host.trouble(ENCODER, { kind: "error", times: 2, after: 0 })
    expect(isWhole(await registry().ensure(TINY, pullOptions()))).toBe(true)
  })

  it("downloads files with a wrong checksum again, including small ones", async () => {
    host.trouble(DECODER, { kind: "corrupt", times: 1, after: 0 })
    host.trouble("tiny-tokens.txt", { kind: "corrupt", times: 1, after: 0 })
    expect(isWhole(await registry().ensure(TINY, pullOptions()))).toBe(true)
  })

  it("explains a checksum that stays wrong, and does not install the model", async () => {
    host.trouble(DECODER, { kind: "corrupt", times: 99, after: 0 })
    const models = registry()
    const failure = await models.ensure(TINY, pullOptions()).catch((e: unknown) => e)
    expect(failure).toBeInstanceOf(EngineUnavailableError)
    expect(String(failure)).toMatch(
      /Couldn't download the model whisper-tiny: .*wrong checksum.*earmark models pull whisper-tiny/,
    )
    expect(await models.isPresent(TINY)).toBe(false)
    host.trouble(DECODER, { kind: "corrupt", times: 0, after: 0 })
    expect(isWhole(await models.ensure(TINY, pullOptions()))).toBe(true)
  })

  it("explains an unreachable host and forbidden downloads", async () => {
    await host.close()
    await expect(registry().ensure(TINY, pullOptions())).rejects.toThrow(
      /Couldn't download.*ECONNREFUSED.*SERVICE_MODELS_PROXY/,
    )
    await expect(registry({ offline: true }).ensure(TINY, pullOptions())).rejects.toThrow(
      /SERVICE_MODELS_OFFLINE forbids/,
    )
    expect(await registry().isReachable(TINY)).toBe(false)
  })

  it("keeps an incomplete download for the next pull when it is aborted", async () => {
    const abort = new AbortController()
    const stop = pullOptions({
      signal: abort.signal,
      progress: (done) => done > 350_000 && abort.abort(new Error("stopped")),
    })
    const models = registry()
    await expect(models.ensure(TINY, stop)).rejects.toThrow("stopped")
    expect((await models.list()).find((m) => m.name === TINY)?.state).toBe("partial")
    await models.ensure(TINY, pullOptions())
    expect(host.asksFor(DECODER).at(-1)?.range).toMatch(/^bytes=\d+-$/)
    expect(host.asksFor(ENCODER)).toHaveLength(1)
  })

  it("happens once for two simultaneous requests, and ignores the lock of a dead process", async () => {
    const both = [registry(), registry()].map((models) => models.ensure(TINY, pullOptions()))
    for (const folder of await Promise.all(both)) expect(isWhole(folder)).toBe(true)
    expect(host.asksFor(ENCODER)).toHaveLength(1)
    await registry().remove(TINY)
    writeFileSync(join(dir, ".incoming", `${TINY}.lock`), formatOwner({ ...(await currentOwner()), startTime: "1" }))
    expect(isWhole(await registry().ensure(TINY, pullOptions()))).toBe(true)
  })

  it("reports that another process is downloading the model", async () => {
    const release = host.hold(ENCODER)
    const reported: string[] = []
    const both = ["first", "second"].map((name) =>
      registry().ensure(TINY, { ...pullOptions(), waiting: () => reported.push(name) }),
    )
    await expect.poll(() => reported.length).toBe(1)
    release()
    for (const folder of await Promise.all(both)) expect(isWhole(folder)).toBe(true)
    expect(reported).toHaveLength(1)
  })

  it.each([
    ["the sign-in page of a network", { body: "<html>log in to the hotel</html>" }, /web page.*login/],
    ["empty", { body: "[]" }, /contains no files/],
    ["not a list", { body: '{"error":"x"}' }, /not a list of files|contains no files/],
    ["endless", { body: " ".repeat(65_536), endless: true }, /larger than 1 MB/],
  ] as const)("rejects a checksum list that is %s", async (_, answer, sentence) => {
    host.answerWith((path) => (/SUMS$|^.api|\.zip$/.test(path) || answer.body.startsWith("<") ? answer : null))
    for (const name of [TINY, "yt-dlp"]) {
      await expect(registry().pull(name, pullOptions())).rejects.toThrow(sentence)
      expect(await registry().isPresent(name)).toBe(false)
    }
  })

  it("rejects a file that is not in the checksum list", async () => {
    host.answerWith((path) => (path.startsWith("/api") ? { body: '[{"path":"other","oid":"1","size":1}]' } : null))
    await expect(registry().pull(TINY, pullOptions())).rejects.toThrow(/does not contain tiny-encoder.int8.onnx/)
    expect(host.asksFor(ENCODER)).toEqual([])
  })

  it.each([
    ["is endless", { body: "x".repeat(65_536), endless: true }, /sends more than 300000 bytes/],
    ["is a web page", { body: "<html>", headers: { "content-length": "6" } }, /sends 6 bytes for.*login/],
    ["redirects endlessly", { status: 302, headers: { location: "/again" } }, /redirects more than/],
    [
      "redirects to a file",
      { status: 302, headers: { location: "file:///etc/passwd" } },
      /redirects to 'file:.*not an HTTP URL/,
    ],
    [
      "redirects to an invalid URL",
      { status: 302, headers: { location: "http://[" } },
      /redirects to 'http:.*not an HTTP URL/,
    ],
  ] as const)("rejects a file that %s without a retry", async (_, answer, sentence) => {
    host.answerWith((path) => (path.endsWith(ENCODER) || path === "/again" ? answer : null))
    await expect(registry({ pauseMs: 60_000 }).pull(TINY, pullOptions())).rejects.toThrow(sentence)
    expect(host.asksFor(ENCODER)).toHaveLength(1)
    expect(existsSync(join(dir, ".incoming", TINY, ENCODER))).toBe(false)
  })

  it("fails without hanging if the models folder cannot be created", async () => {
    const nowhere = registry({ dir: "/proc/nothing/models" })
    await expect(nowhere.pull(TINY, pullOptions())).rejects.toThrow(
      /Couldn't create the folder .proc.nothing.*SERVICE_MODELS_DIR/,
    )
    expect((await nowhere.list()).find((m) => m.name === TINY)).toMatchObject({ state: "absent", fetching: false })
  })

  it("downloads through a proxy", async () => {
    const seen: string[] = []
    const proxy = createServer((request, response) => {
      seen.push(request.url ?? "")
      const onward = requestHttp(request.url ?? "", { headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      onward.end()
    })
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    expect(isWhole(await registry({ proxy: url }).ensure(TINY, pullOptions()))).toBe(true)
    expect(seen).toHaveLength(4)
    expect(seen.every((address) => address.startsWith(`${host.url}/`))).toBe(true)
    proxy.close()
  })
})

describe("an installed model", () => {
  it("is verified before use", async () => {
    const folder = await registry().ensure(TINY, pullOptions())
    writeFileSync(join(folder, DECODER), Buffer.alloc(700_000))
    await expect(registry().ensure(TINY, pullOptions())).rejects.toThrow(
      /is damaged \(tiny-decoder.*earmark models pull whisper-tiny/,
    )
    expect(isWhole(await registry().pull(TINY, pullOptions()))).toBe(true)
  })

  it("can be removed by its name, but not by a path", async () => {
    await registry().ensure(TINY, pullOptions())
    expect(await registry().remove("tiny")).toBe(true)
    expect(existsSync(join(dir, TINY))).toBe(false)
    expect(await registry().remove(TINY)).toBe(false)
    for (const name of ["..", "../x", "a/b", ".incoming", ""])
      await expect(registry().remove(name)).rejects.toThrow(/There is no model/)
    await expect(registry().ensure("no-such-model", pullOptions())).rejects.toMatchObject({ code: "invalid" })
  })

  it("can be yt-dlp, verified by its published checksums and executable", async () => {
    const folder = await registry().ensure("yt-dlp", pullOptions())
    expect(statSync(join(folder, "yt-dlp")).mode & 0o111).toBe(0o111)
    for (const name of YT_DLP) host.files.set(name, Buffer.from("another"))
    expect(readFileSync(join(await registry().pull("yt-dlp", pullOptions()), "yt-dlp"), "utf8")).toBe("another")
  })
})
