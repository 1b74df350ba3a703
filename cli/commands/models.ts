import type { Command } from "commander"
import type { EarmarkClient, ModelServer, ServerModel, SpeechModel } from "#lib/api/client/index.ts"
import { AppError } from "#lib/domain/errors.ts"
import { formatUrl } from "#lib/engines/language/ollama/index.ts"
import { EMBEDDING, findModel, PARAKEET, SEGMENTATION, VAD } from "#lib/engines/models/catalog.ts"
import type { ModelState } from "#lib/engines/models/types.ts"
import { openModelRegistry } from "#lib/engines/speech/index.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { listModelServers, pullFromOllama } from "#lib/services/installation/model-servers.ts"
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

const USES: Readonly<Record<ServerModel["use"], string>> = {
  language: "writes topics and answers",
  embedding: "compares texts by meaning",
}

const serverRow = (m: ServerModel): string => {
  const size = m.bytes === null ? "" : megabytes(m.bytes)
  const context = m.context === null ? "" : `, context of ${m.context} tokens`
  const advice = m.state === "absent" ? `; get it with: npx earmark models pull ${m.name}` : ""
  return `${m.name.padEnd(26)} ${(m.in_use ? "in use" : m.state).padEnd(8)} ${size.padStart(8)}  ${USES[m.use]}${context}${advice}`
}

const PROVIDERS: Readonly<Record<ModelServer["provider"], string>> = { ollama: "Ollama", openai: "Model server" }

const serverRows = ({ provider, url, state, problem, models }: ModelServer): string[] => [
  "",
  `${PROVIDERS[provider]} at ${url}${state === "down" ? " (down)" : ""}`,
  ...(problem === undefined ? [] : [`  ${problem}`]),
  ...models.map(serverRow),
]

/** Adds the model for voice activity detection, which every speech model needs. */
const withDependencies = (name: string): string[] => (findModel(name)?.use === "speech" ? [name, VAD] : [name])

/** Returns true for a model that is not in the catalog, so that Ollama has to pull it. */
const isForOllama = (name: string): boolean => findModel(name) === null

const namesToPull = (names: readonly string[]): Set<string> =>
  new Set((names.length > 0 ? names : TRANSCRIPTION_MODELS).flatMap(withDependencies))

type Pulled = { readonly name: string; readonly folder?: string }

/** Pulls a model through Ollama. @throws AppError `invalid` if neither the catalog nor Ollama has it */
const pullHereFromOllama = async (name: string, signal: AbortSignal): Promise<void> => {
  const bar = createDownloadBar(name)
  try {
    await pullFromOllama(settings(), name, { signal, progress: bar.update })
    bar.finish()
  } catch (error) {
    throw AppError.is(error) && error.code === "not_found" ? new AppError("invalid", error.message) : error
  } finally {
    bar.end()
  }
}

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
      if (isForOllama(name)) {
        await pullHereFromOllama(name, stop.signal)
        pulled.push({ name, folder: `pulled by Ollama at ${formatUrl(settings().models.ollamaUrl)}` })
        continue
      }
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

type Lists = { readonly models: readonly SpeechModel[]; readonly servers: readonly ModelServer[] }

/** Lists the models of this machine and of its model servers. Without a database it is not known which one is in use. */
const listHere = async (): Promise<Lists> => {
  const config = settings()
  const node = await openNode(config, createLogger("silent", "cli")).catch(() => null)
  const known = { config, modelDownloads: new Map(), modelPulls: new Map(), store: node?.store ?? null }
  try {
    const [{ models }, servers] = await Promise.all([listModels(known), listModelServers(known)])
    return { models, servers }
  } finally {
    await node?.close()
  }
}

const listThere = async (client: EarmarkClient): Promise<Lists> => {
  const [{ models }, { servers }] = await Promise.all([client.models(), client.modelServers()])
  return { models, servers }
}

const removeHere = async (name: string): Promise<void> => {
  if (!(await openModelRegistry(settings()).remove(name)))
    throw new AppError("not_found", `The model '${name}' is not installed.`)
}

export const addModels = (program: Command): void => {
  const models = program.command("models").description("list, download and remove models")
  remoteFlags(models.command("list", { isDefault: true }))
    .description("list installed and available models, and those of the model servers in the settings")
    .action(async (flags: RemoteFlags) => {
      const remote = openRemote(flags)
      const { models, servers } = await (remote ? listThere(remote) : listHere())
      printResult({ models, servers }, () => [...models.map(row), ...servers.flatMap(serverRows)].join("\n"))
    })
  remoteFlags(models.command("pull [names...]"))
    .description(
      "download models or resume a download; without names, download everything that transcription needs; Ollama pulls names that are not in the list, such as gemma4",
    )
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
