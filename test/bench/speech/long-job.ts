import { existsSync } from "node:fs"
import { join } from "node:path"
import type { EngineName } from "#lib/domain/jobs/jobs.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { openInstallation } from "#test/fixtures/installation.ts"
import { longRecording, watchTree } from "./memory.ts"
import { recordings } from "./recordings.ts"

export type LongJob = {
  readonly engine: EngineName
  readonly model: string | undefined
  readonly hours: number
  readonly modelsDir: string
}

/**
 * A recording of many hours as a job of a worker as it is built, from the queue to the topics: the most memory that the
 * worker, the processes below it, and all of them at one time had, in megabytes.
 */
export const runLongJob = async ({ engine, model, hours, modelsDir }: LongJob): Promise<object> => {
  const program = join(packageRoot(), "dist/worker.js")
  if (!existsSync(program)) throw new Error("this bench runs the built worker: npm run build first")
  const bench = await openInstallation({ SERVICE_PROVIDER: "builtin", SERVICE_MODELS_DIR: modelsDir }, undefined, [
    program,
  ])
  try {
    const source = join(bench.dir, "long.flac")
    longRecording(recordings(undefined)[0]!.path, source, hours)
    const worker = await bench.worker()
    const most_mb = watchTree(worker.pid)
    const began = performance.now()
    const id = await bench.submit({ source, speech_engine: engine, ...(model && { whisper_model: model }) })
    let listened_s = 0
    const job = await bench.until(
      id,
      ({ status, stages }) => {
        if (stages.whisper !== "done") listened_s = (performance.now() - began) / 1000
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
      seconds: Math.round((performance.now() - began) / 1000),
      times_real_time: Math.round(((hours * 3600) / listened_s) * 10) / 10,
      most_mb: most_mb(),
    }
  } finally {
    await bench.close()
  }
}
