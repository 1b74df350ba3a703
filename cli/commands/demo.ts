import { readFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import type { Command } from "commander"
import { createClient } from "#lib/api/client/index.ts"
import { AppError } from "#lib/domain/errors.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { probeEngines, shelfOf } from "#lib/engines/speech/index.ts"
import { PARAKEET } from "#lib/engines/speech/models/catalog.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { settings } from "../environment.ts"
import { clock } from "../output.ts"
import { stageBars } from "../progress.ts"
import { supervise } from "../supervisor.ts"
import { treeText } from "../tree.ts"

const SAMPLE = "public/samples/three-subjects.flac"

export const addDemo = (program: Command): void => {
  program
    .command("demo")
    .description("start the service, send it the bundled recording, and show what becomes of it")
    .option("--exit", "end when the tree is printed, instead of staying up")
    .action(async (options: { exit?: boolean }) => {
      process.env.SERVICE_LOG_LEVEL ??= "warn"
      await useFreePort()
      const supervisor = supervise({ workers: true, dev: false })
      try {
        const url = await supervisor.ready
        await send(url)
        const where = `the map is at ${url}/viz, the place for your own recordings at ${url}`
        process.stderr.write(options.exit ? `\nAfter npm start, ${where}\n` : `\nNow ${where}\nCtrl-C ends it.\n`)
        if (options.exit) supervisor.stop(0)
      } catch (error) {
        supervisor.stop(1)
        await supervisor.done
        throw error
      }
      process.exitCode = await supervisor.done
    })
}

/** Takes any free port when the usual one is in use and nobody asked for a certain one. */
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

/** What is here already: a demo does not wait for a model of 700 MB. */
const demoEngine = async (): Promise<"auto" | "pocketsphinx"> => {
  const [config, log] = [settings(), createLogger("silent", "demo")]
  if (config.speech.engine !== "auto" || (await shelfOf(config).isPresent(PARAKEET))) return "auto"
  const plain = (await probeEngines(config, log)).find(({ name }) => name === "pocketsphinx")
  return plain?.probe.available ? "pocketsphinx" : "auto"
}

/** Uploads the sample, follows its job stage by stage, prints the tree. @throws AppError with the job's own sentence */
const send = async (url: string): Promise<void> => {
  const token = settings().http.token
  const client = createClient({ baseUrl: url, ...(token && { token }) })
  const sound = new File([await readFile(join(packageRoot(), SAMPLE))], "three-subjects.flac")
  // Listening again on every run: a demo that found yesterday's transcript would show nothing.
  const { job_id } = await client.upload(sound, {
    title: "Boats, bees and comets",
    force_retranscribe: true,
    speech_engine: await demoEngine(),
  })
  const bars = stageBars()
  for await (const job of client.events(job_id)) {
    for (const stage of STAGE_NAMES) if (job.stages[stage] === "done") bars.finish(stage)
    if (job.progress) bars.update(job.progress.stage, job.progress.done, job.progress.total)
    if (job.error) throw new AppError("unavailable", `${job.error.stage}: ${job.error.detail}`)
  }
  bars.end()
  const { clip } = await client.result(job_id)
  process.stderr.write(
    `\n${clip.transcription.length} words heard in ${clock(clip.duration_s)} by ${clip.speech_engine}\n\n`,
  )
  process.stdout.write(`${treeText(clip.tree)}\n`)
}
