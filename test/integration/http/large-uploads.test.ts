import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { packageRoot } from "#lib/platform/package-root.ts"
import { watchMemory } from "#test/fixtures/memory.ts"
import { endService, type Service, startService } from "#test/fixtures/service.ts"
import { openSwift } from "#test/fixtures/shared-servers.ts"
import { sendRecording } from "#test/fixtures/submitted-recording.ts"
import { KEY } from "#test/fixtures/swift.ts"

const SHORT_LIMITS = `--import=${join(packageRoot(), "test/fixtures/short-limits.mjs")}`
let dir: string
let service: Service | undefined
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-uploads-"))
})
afterEach(async () => {
  if (service) await endService(service)
  service = undefined
  rmSync(dir, { recursive: true, force: true })
})

const start = async (env: Record<string, string> = {}): Promise<Service> => {
  service = await startService({ SERVICE_DATA_DIR: dir, ...env })
  return service
}
/** Returns the SHA-256 hashes of the stored uploads. */
const hashUploads = async (): Promise<string[]> => {
  const folder = join(dir, "uploads")
  const names = readdirSync(folder)
  return Promise.all(
    names.map(async (name) => {
      const hash = createHash("sha256")
      await pipeline(createReadStream(join(folder, name)), hash)
      return hash.digest("hex")
    }),
  )
}

describe("an upload of 200 MB", () => {
  it("streams through the web process without staying in memory, and arrives complete", {
    timeout: 180_000,
  }, async () => {
    const { url, process } = await start()
    // The first upload loads the route and warms it up.
    expect((await sendRecording(`${url}/jobs/audio`, { chunks: 32, chunkBytes: 2 ** 20 })).status).toBe(202)
    const memoryGrowthMb = watchMemory(process.pid!)
    const sent = await sendRecording(`${url}/jobs/audio`, { chunks: 200, chunkBytes: 2 ** 20 })
    expect(sent.status, sent.text).toBe(202)
    expect(memoryGrowthMb()).toBeLessThan(50)
    expect(sent.bytes).toBeGreaterThan(200 * 2 ** 20)
    expect(await hashUploads()).toContain(sent.sha256)
  })
})

describe("an upload of 200 MB into a bucket", () => {
  it("streams through the web process in parts, and arrives complete", { timeout: 180_000 }, async () => {
    const swift = await openSwift()
    try {
      const bucket = await swift.bucket()
      const { url, process } = await start({ ...KEY, SERVICE_BLOB_URL: swift.url(bucket) })
      const send = (chunks: number) => sendRecording(`${url}/jobs/audio`, { chunks, chunkBytes: 2 ** 20 })
      // The first upload loads the route and the client, and allocates the concurrent parts.
      expect((await send(40)).status).toBe(202)
      const memoryGrowthMb = watchMemory(process.pid!)
      const sent = await send(200)
      expect(sent.status, sent.text).toBe(202)
      // Allows for the parts in transit and uncollected garbage, but not for the whole file.
      expect(memoryGrowthMb()).toBeLessThan(100)
      expect(await swift.objects(bucket)).toContain(`${sent.sha256}.wav`)
      expect(existsSync(join(dir, "uploads"))).toBe(false)
    } finally {
      await swift.close()
    }
  })
})

describe("an upload slower than Node's own limit for a request", () => {
  const slow = { chunks: 20, chunkBytes: 500, everyMs: 250 }

  it("is accepted", async () => {
    const { url } = await start({ NODE_OPTIONS: SHORT_LIMITS })
    const sent = await sendRecording(`${url}/jobs/audio`, slow)
    expect(sent.status, sent.text).toBe(202)
    expect(await hashUploads()).toEqual([sent.sha256])
  })
  it("is aborted by a server that keeps Node's limit", async () => {
    const plain = `
      import http from "node:http"
      const server = http.createServer((q, r) => q.resume().on("end", () => r.end()))
      server.listen(0, "127.0.0.1", () => console.log(server.address().port))
      setTimeout(() => process.exit(), 15000)`
    const running = promisify(execFile)(process.execPath, [SHORT_LIMITS, "--input-type=module", "--eval", plain])
    const port = await new Promise((resolve) => running.child.stdout!.once("data", (d) => resolve(String(d).trim())))
    const sent = await sendRecording(`http://127.0.0.1:${port}/`, slow).catch((e: NodeJS.ErrnoException) => e.code)
    expect(sent).toSatisfy((s: unknown) => typeof s === "string" || (s as { status: number }).status === 408)
    running.child.kill()
    await running.catch(() => undefined)
  })
})
