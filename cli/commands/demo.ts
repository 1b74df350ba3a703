import { readFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import type { Command } from "commander"
import { createClient, type EarmarkClient } from "#lib/api/client/index.ts"
import { AppError } from "#lib/domain/errors.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { PARAKEET } from "#lib/engines/models/catalog.ts"
import { openModelRegistry, probeEngines } from "#lib/engines/speech/index.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { openDemoAccess } from "../demo-access.ts"
import { settings } from "../environment.ts"
import { formatTime } from "../output.ts"
import { createStageBars } from "../progress.ts"
import { supervise } from "../supervisor.ts"
import { formatTree } from "../tree.ts"

const SAMPLE = "public/samples/three-subjects.flac"

export const addDemo = (program: Command): void => {
  program
    .command("demo")
    .description("start the service, process the bundled recording and print its topics")
    .option("--exit", "exit after printing the topic tree")
    .action(async (options: { exit?: boolean }) => {
      process.env.SERVICE_LOG_LEVEL ??= "warn"
      await useFreePort()
      const supervisor = supervise({ workers: true, dev: false })
      try {
        const url = await supervisor.ready
        const { token, hint, end } = await openDemoAccess()
        await send(createClient({ baseUrl: url, ...(token && { token }) })).finally(end)
        const next = `Map: ${url}/viz\nAdd your own recordings: ${url}${hint}`
        process.stderr.write(
          options.exit ? `\nRun npm start, then open:\n${next}\n` : `\n${next}\nPress Ctrl-C to stop.\n`,
        )
        if (options.exit) supervisor.stop(0)
      } catch (error) {
        supervisor.stop(1)
        await supervisor.done
        throw error
      }
      process.exitCode = await supervisor.done
    })
}

/** Selects any free port if the default one is in use and SERVICE_PORT is not set. */
const useFreePort = async (): Promise<void> => {
  const { host, port } = settings().http
  if (process.env.SERVICE_PORT) return
  const probe = createServer()
  const free = await new Promise<boolean>((resolve) => {
    probe.once("error", () => resolve(false)).listen(port, host, () => resolve(true))
  })
  if (free) await new Promise((resolve) => probe.close(resolve))
  else process.env.SERVICE_PORT = "0"
}

/** Selects an engine that is already installed, so that the demo does not wait for a 720 MB download. */
const selectEngine = async (): Promise<"auto" | "pocketsphinx"> => {
  const [config, log] = [settings(), createLogger("silent", "demo")]
  if (config.speech.engine !== "auto" || (await openModelRegistry(config).isPresent(PARAKEET))) return "auto"
  const plain = (await probeEngines(config, log)).find(({ name }) => name === "pocketsphinx")
  return plain?.probe.available ? "pocketsphinx" : "auto"
}

/** Uploads the sample, shows the progress of its stages and prints the topic tree. @throws AppError with the job's error */
const send = async (client: EarmarkClient): Promise<void> => {
  const recording = new File([await readFile(join(packageRoot(), SAMPLE))], "three-subjects.flac")
  // Without this, a second run would reuse the transcript and skip the stage that the demo shows.
  const { job_id } = await client.upload(recording, {
    title: "Boats, bees and comets",
    force_retranscribe: true,
    speech_engine: await selectEngine(),
  })
  const bars = createStageBars()
  for await (const job of client.events(job_id)) {
    for (const stage of STAGE_NAMES) if (job.stages[stage] === "done") bars.finish(stage)
    if (job.progress) bars.update(job.progress.stage, job.progress.done, job.progress.total)
    if (job.error) throw new AppError("unavailable", `${job.error.stage}: ${job.error.detail}`)
  }
  bars.end()
  const { clip } = await client.result(job_id)
  process.stderr.write(
    `\n${clip.transcription.length} words in ${formatTime(clip.duration_s)}, transcribed by ${clip.speech_engine}\n\n`,
  )
  process.stdout.write(`${formatTree(clip.tree)}\n`)
}
