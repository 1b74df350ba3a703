import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { watchMemory } from "../../fixtures/memory.ts"
import { endService, startService } from "../../fixtures/service.ts"
import { sendRecording } from "../../fixtures/submitted-recording.ts"
import { printResult, round } from "../report.ts"

/** A server that only writes the request body to a file and hashes it, without parsing the form. */
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

type Measurement = { readonly seconds: number; readonly memory_growth_mb: number }

const measure = async (url: string, pid: number, shape: Parameters<typeof sendRecording>[1]): Promise<Measurement> => {
  await sendRecording(url, { chunks: 1, chunkBytes: 1000 })
  const memoryGrowthMb = watchMemory(pid)
  const startedAt = performance.now()
  const { status, text } = await sendRecording(url, shape)
  if (status > 299) throw new Error(`The upload failed with status ${status}: ${text}`)
  return { seconds: round((performance.now() - startedAt) / 1000, 1), memory_growth_mb: round(memoryGrowthMb(), 1) }
}

const startRival = async (dir: string) => {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", RIVAL, join(dir, "rival.wav")], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  })
  const port = await new Promise<number>((resolve) => child.once("message", (m) => resolve(m as number)))
  return { url: `http://127.0.0.1:${port}/`, pid: child.pid!, stop: () => child.kill() }
}

/**
 * `npm run bench -- upload [--mb 500] [--slow SECONDS]` measures the time of an upload and the memory that it adds to the
 * web process, compared with a server that only writes and hashes. `--slow` sends a small upload over that many seconds.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({ args, options: { mb: { type: "string" }, slow: { type: "string" } } })
  const mb = Number(values.mb ?? 500)
  const shape = values.slow
    ? { chunks: Number(values.slow), chunkBytes: 2000, everyMs: 1000 }
    : { chunks: mb, chunkBytes: 2 ** 20 }
  const dir = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  const service = await startService({ SERVICE_DATA_DIR: dir })
  const rival = await startRival(dir)
  try {
    const own = await measure(`${service.url}/jobs/audio`, service.process.pid!, shape)
    const other = values.slow ? undefined : await measure(rival.url, rival.pid, shape)
    printResult({
      bench: "upload",
      ...(values.slow ? {} : { mb }),
      ...own,
      ...(other && { rival: other, ratio: round(own.seconds / other.seconds) }),
    })
  } finally {
    rival.stop()
    await endService(service)
    rmSync(dir, { recursive: true, force: true })
  }
}
