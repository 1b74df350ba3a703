import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { openModelRegistry } from "#lib/engines/speech/index.ts"
import { EMBEDDING, findModel, PARAKEET, SEGMENTATION, VAD } from "#lib/engines/speech/models/catalog.ts"
import type { ModelState } from "#lib/engines/speech/models/types.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"
import { createDownloadBar } from "../progress.ts"

/** The models that transcription with the default engine needs. */
const TRANSCRIPTION_MODELS = [PARAKEET, VAD, SEGMENTATION, EMBEDDING]

const megabytes = (bytes: number): string => (bytes < 1e6 ? "< 1 MB" : `${Math.round(bytes / 1e6)} MB`)

const languagesOf = ({ languages }: ModelState): string =>
  languages === null ? "" : `, ${languages.length} language${languages.length === 1 ? "" : "s"}`

const row = (m: ModelState): string =>
  `${m.name.padEnd(26)} ${m.state.padEnd(8)} ${megabytes(m.bytes).padStart(8)}  ${m.purpose}${languagesOf(m)}; ${m.licence}`

/** Adds the model for voice activity detection, which every speech model needs. */
const withDependencies = (name: string): string[] => (findModel(name)?.use === "speech" ? [name, VAD] : [name])

export const addModels = (program: Command): void => {
  const models = program.command("models").description("list, download and remove speech models")
  models
    .command("list", { isDefault: true })
    .description("list installed and available models")
    .action(async () => {
      const list = await openModelRegistry(settings()).list()
      printResult({ models: list }, () => list.map(row).join("\n"))
    })
  models
    .command("pull [names...]")
    .description("download models or resume a download; without names, download everything that transcription needs")
    .action(async (names: string[]) => {
      const registry = openModelRegistry(settings())
      const stop = new AbortController()
      const interrupt = () =>
        stop.abort(new AppError("unavailable", "Download stopped. Run the command again to resume it."))
      process.once("SIGINT", interrupt)
      const pulled: { name: string; folder: string }[] = []
      try {
        for (const name of new Set((names.length > 0 ? names : TRANSCRIPTION_MODELS).flatMap(withDependencies))) {
          const bar = createDownloadBar(name)
          try {
            // A named model is downloaded again, which repairs a damaged one; its dependencies are only completed.
            const download = names.includes(name) ? registry.pull : registry.ensure
            const waiting = () => process.stderr.write(`  waiting for another process that is downloading ${name}\n`)
            const folder = await download(name, { signal: stop.signal, progress: bar.update, waiting })
            pulled.push({ name, folder })
            bar.finish()
          } finally {
            bar.end()
          }
        }
      } finally {
        process.off("SIGINT", interrupt)
      }
      printResult({ pulled }, () => pulled.map(({ name, folder }) => `${name}: ${folder}`).join("\n"))
    })
  models
    .command("remove <name>")
    .description("remove a model from this machine")
    .action(async (name: string) => {
      if (!(await openModelRegistry(settings()).remove(name)))
        throw new AppError("not_found", `The model '${name}' is not installed.`)
      printResult({ removed: name }, () => `Removed ${name}`)
    })
}
