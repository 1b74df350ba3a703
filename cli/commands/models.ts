import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { shelfOf } from "#lib/engines/speech/index.ts"
import { EMBEDDING, findModel, PARAKEET, SEGMENTATION, VAD } from "#lib/engines/speech/models/catalog.ts"
import type { ModelState } from "#lib/engines/speech/models/types.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"
import { byteBar } from "../progress.ts"

/** All that hearing needs on this machine. */
const HEARING = [PARAKEET, VAD, SEGMENTATION, EMBEDDING]

const megabytes = (bytes: number): string => (bytes < 1e6 ? "< 1 MB" : `${Math.round(bytes / 1e6)} MB`)

const languagesOf = ({ languages }: ModelState): string =>
  languages === null ? "" : `, ${languages.length} language${languages.length === 1 ? "" : "s"}`

const row = (m: ModelState): string =>
  `${m.name.padEnd(26)} ${m.state.padEnd(8)} ${megabytes(m.bytes).padStart(8)}  ${m.purpose}${languagesOf(m)}; ${m.licence}`

/** What has to be there with a model: a speech model is of no use without the detector of speech. */
const withNeeds = (name: string): string[] => (findModel(name)?.use === "speech" ? [name, VAD] : [name])

export const addModels = (program: Command): void => {
  const models = program.command("models").description("speech models on this machine: list, fetch, remove")
  models
    .command("list", { isDefault: true })
    .description("what there is, and what can be fetched")
    .action(async () => {
      const list = await shelfOf(settings()).list()
      printResult({ models: list }, () => list.map(row).join("\n"))
    })
  models
    .command("pull [names...]")
    .description("fetch models, or go on with a download that was broken off; without a name all that hearing needs")
    .action(async (names: string[]) => {
      const shelf = shelfOf(settings())
      const stop = new AbortController()
      const interrupt = () => stop.abort(new AppError("unavailable", "stopped; the next pull goes on from here"))
      process.once("SIGINT", interrupt)
      const pulled: { name: string; folder: string }[] = []
      try {
        for (const name of new Set((names.length > 0 ? names : HEARING).flatMap(withNeeds))) {
          const bar = byteBar(name)
          try {
            // Named ones are fetched anew, as that is how a damaged one is mended; what comes with them need not be.
            const fetchIt = names.includes(name) ? shelf.pull : shelf.ensure
            const waiting = () => process.stderr.write(`  another process is fetching ${name}: waiting for it\n`)
            const folder = await fetchIt(name, { signal: stop.signal, progress: bar.update, waiting })
            pulled.push({ name, folder })
            bar.finish()
          } finally {
            bar.end()
          }
        }
      } finally {
        process.off("SIGINT", interrupt)
      }
      printResult({ pulled }, () => pulled.map(({ name, folder }) => `${name} is in ${folder}`).join("\n"))
    })
  models
    .command("remove <name>")
    .description("take a model off this machine")
    .action(async (name: string) => {
      if (!(await shelfOf(settings()).remove(name))) throw new AppError("not_found", `the model '${name}' is not here`)
      printResult({ removed: name }, () => `${name} is removed`)
    })
}
