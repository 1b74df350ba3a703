import { existsSync } from "node:fs"
import { join } from "node:path"
import type { EngineName } from "#lib/domain/jobs/jobs.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { openInstallation } from "#test/fixtures/installation.ts"
import { createLongRecording, watchProcessTree } from "./memory.ts"
import { listRecordings } from "./recordings.ts"

export type LongJob = {
  readonly engine: EngineName
  readonly model: string | undefined
  readonly hours: number
  readonly modelsDir: string
}

/**
 * Runs a job with a recording of many hours on the built worker, from the queue to the topics.
 * @returns the result, and the peak memory in megabytes of the worker, of its child processes, and of all together
 */
export const runLongJob = async ({ engine, model, hours, modelsDir }: LongJob): Promise<object> => {
  const program = join(packageRoot(), "dist/worker.js")
  if (!existsSync(program)) throw new Error("This bench runs the built worker: npm run build.")
  const bench = await openInstallation({ SERVICE_PROVIDER: "builtin", SERVICE_MODELS_DIR: modelsDir }, undefined, [
    program,
  ])
  try {
    const source = join(bench.dir, "long.flac")
    createLongRecording(listRecordings(undefined)[0]!.path, source, hours)
    const worker = await bench.worker()
    const getPeakMb = watchProcessTree(worker.pid)
    const startedAt = performance.now()
    const id = await bench.submit({ source, speech_engine: engine, ...(model && { whisper_model: model }) })
    let transcription_s = 0
    const job = await bench.until(
      id,
      ({ status, stages }) => {
        if (stages.whisper !== "done") transcription_s = (performance.now() - startedAt) / 1000
        return ["done", "error"].includes(status)
      },
      24 * 3_600_000,
    )
    const clip = await bench.store.clips.get(job.session_id)
    return {
      status: job.status,
      ...(job.error && { error: job.error }),
      engine: clip?.speech_engine,
      model: clip?.whisper_model,
      diarized: clip?.diarized,
      words: clip?.transcription.length,
      topics: clip?.topics.length,
      seconds: Math.round((performance.now() - startedAt) / 1000),
      times_real_time: Math.round(((hours * 3600) / transcription_s) * 10) / 10,
      peak_mb: getPeakMb(),
    }
  } finally {
    await bench.close()
  }
}
