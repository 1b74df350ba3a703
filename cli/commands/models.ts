import type { Command } from "commander"
import type { EarmarkClient } from "#lib/api/client/index.ts"
import { AppError } from "#lib/domain/errors.ts"
import { EMBEDDING, findModel, PARAKEET, SEGMENTATION, VAD } from "#lib/engines/models/catalog.ts"
import type { ModelState } from "#lib/engines/models/types.ts"
import { openModelRegistry } from "#lib/engines/speech/index.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
import { listModels } from "#lib/services/installation/speech-models.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"
import { createDownloadBar } from "../progress.ts"
import { openRemote, type RemoteFlags, remoteFlags } from "../remote.ts"
import { pullRemotely } from "../remote-models.ts"

/** The models that transcription with the default engine needs. */
const TRANSCRIPTION_MODELS = [PARAKEET, VAD, SEGMENTATION, EMBEDDING]

const megabytes = (bytes: number): string => (bytes < 1e6 ? "< 1 MB" : `${Math.round(bytes / 1e6)} MB`)

const languagesOf = ({ languages }: Pick<ModelState, "languages">): string =>
  languages === null ? "" : `, ${languages.length} language${languages.length === 1 ? "" : "s"}`

type Row = Pick<ModelState, "name" | "state" | "bytes" | "purpose" | "languages" | "licence"> & {
  readonly in_use: boolean
}

const row = (m: Row): string =>
  `${m.name.padEnd(26)} ${(m.in_use ? "in use" : m.state).padEnd(8)} ${megabytes(m.bytes).padStart(8)}  ${m.purpose}${languagesOf(m)}; ${m.licence}`

/** Adds the model for voice activity detection, which every speech model needs. */
const withDependencies = (name: string): string[] => (findModel(name)?.use === "speech" ? [name, VAD] : [name])

const namesToPull = (names: readonly string[]): Set<string> =>
  new Set((names.length > 0 ? names : TRANSCRIPTION_MODELS).flatMap(withDependencies))

type Pulled = { readonly name: string; readonly folder?: string }

/** Downloads models to this machine. Ctrl-C ends the download, which can be resumed. */
const pullHere = async (names: readonly string[]): Promise<Pulled[]> => {
  const registry = openModelRegistry(settings())
  const stop = new AbortController()
  const interrupt = () =>
    stop.abort(new AppError("unavailable", "Download stopped. Run the command again to resume it."))
  process.once("SIGINT", interrupt)
  const pulled: Pulled[] = []
  try {
    for (const name of namesToPull(names)) {
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
  return pulled
}

/** Lets a service download models. Ctrl-C does not end the download. */
const pullThere = async (client: EarmarkClient, names: readonly string[]): Promise<Pulled[]> => {
  const { models } = await client.models()
  const isInstalled = (name: string) => models.some((model) => model.name === name && model.state === "present")
  const pulled: Pulled[] = []
  for (const name of namesToPull(names)) {
    const isComplete = !names.includes(name) && isInstalled(name)
    pulled.push({ name: isComplete ? name : await pullRemotely(client, name) })
  }
  return pulled
}

/** Lists the models of this machine. Without a database it is not known which one is in use. */
const listHere = async () => {
  const config = settings()
  const node = await openNode(config, createLogger("silent", "cli")).catch(() => null)
  const known = { config, modelDownloads: new Map<string, string | null>(), store: node?.store ?? null }
  try {
    return (await listModels(known)).models
  } finally {
    await node?.close()
  }
}

const removeHere = async (name: string): Promise<void> => {
  if (!(await openModelRegistry(settings()).remove(name)))
    throw new AppError("not_found", `The model '${name}' is not installed.`)
}

export const addModels = (program: Command): void => {
  const models = program.command("models").description("list, download and remove models for speech and embeddings")
  remoteFlags(models.command("list", { isDefault: true }))
    .description("list installed and available models")
    .action(async (flags: RemoteFlags) => {
      const remote = openRemote(flags)
      const list = remote ? (await remote.models()).models : await listHere()
      printResult({ models: list }, () => list.map(row).join("\n"))
    })
  remoteFlags(models.command("pull [names...]"))
    .description("download models or resume a download; without names, download everything that transcription needs")
    .action(async (names: string[], flags: RemoteFlags) => {
      const remote = openRemote(flags)
      const pulled = await (remote ? pullThere(remote, names) : pullHere(names))
      const where = remote ? `the service at ${flags.url}` : ""
      for (const { name } of pulled)
        if (findModel(name)?.use === "embedding")
          process.stderr.write(`Use ${name} with:  npx earmark engines set embedder=${name}\n`)
      printResult({ pulled }, () => pulled.map(({ name, folder = where }) => `${name}: ${folder}`).join("\n"))
    })
  remoteFlags(models.command("remove <name>"))
    .description("remove a model")
    .action(async (name: string, flags: RemoteFlags) => {
      const remote = openRemote(flags)
      await (remote ? remote.removeModel(name) : removeHere(name))
      printResult({ removed: name }, () => `Removed ${name}`)
    })
}
