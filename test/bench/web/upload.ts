import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { watchMemory } from "../../fixtures/memory.ts"
import { endService, startService } from "../../fixtures/service.ts"
import { sendRecording } from "../../fixtures/submitted-recording.ts"

/** The least that could be done with an upload: bytes into a file, hashed, without looking at the form around them. */
const RIVAL = `
  import { createHash } from "node:crypto"
  import { createWriteStream } from "node:fs"
  import http from "node:http"
  import { pipeline } from "node:stream/promises"
  const server = http.createServer({ requestTimeout: 0 }, async (request, response) => {
    const hash = createHash("sha256")
    await pipeline(request, async function* (source) {
      for await (const chunk of source) { hash.update(chunk); yield chunk }
    }, createWriteStream(process.argv[1]))
    response.end(hash.digest("hex"))
  })
  server.listen(0, "127.0.0.1", () => process.send(server.address().port))`

type Measured = { readonly seconds: number; readonly grown_mb: number }

const measure = async (url: string, pid: number, shape: Parameters<typeof sendRecording>[1]): Promise<Measured> => {
  await sendRecording(url, { chunks: 1, chunkBytes: 1000 })
  const grown = watchMemory(pid)
  const began = performance.now()
  const { status, text } = await sendRecording(url, shape)
  if (status > 299) throw new Error(`the upload was answered with ${status}: ${text}`)
  return { seconds: round((performance.now() - began) / 1000), grown_mb: round(grown()) }
}
const round = (n: number): number => Math.round(n * 10) / 10

const rival = async (dir: string) => {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", RIVAL, join(dir, "rival.wav")], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  })
  const port = await new Promise<number>((resolve) => child.once("message", (m) => resolve(m as number)))
  return { url: `http://127.0.0.1:${port}/`, pid: child.pid!, stop: () => child.kill() }
}

/**
 * npm run bench -- upload [--mb 500] [--slow SECONDS]: time of one upload and what it adds to the memory of the web
 * process, beside a bare server that only writes and hashes. `--slow` stretches a small one over that many seconds.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({ args, options: { mb: { type: "string" }, slow: { type: "string" } } })
  const mb = Number(values.mb ?? 500)
  const shape = values.slow
    ? { chunks: Number(values.slow), chunkBytes: 2000, everyMs: 1000 }
    : { chunks: mb, chunkBytes: 2 ** 20 }
  const dir = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  const service = await startService({ SERVICE_DATA_DIR: dir })
  const bare = await rival(dir)
  try {
    const own = await measure(`${service.url}/jobs/audio`, service.process.pid!, shape)
    const other = values.slow ? undefined : await measure(bare.url, bare.pid, shape)
    console.log(
      JSON.stringify({
        bench: "upload",
        ...(values.slow ? {} : { mb }),
        ...own,
        ...(other && { rival: other, ratio: Math.round((own.seconds / other.seconds) * 100) / 100 }),
      }),
    )
  } finally {
    bare.stop()
    await endService(service)
    rmSync(dir, { recursive: true, force: true })
  }
}
