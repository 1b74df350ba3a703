import { setTimeout as sleep } from "node:timers/promises"
import type { EarmarkClient, SpeechModel } from "#lib/api/client/index.ts"
import { AppError } from "#lib/domain/errors.ts"
import { findModel } from "#lib/engines/models/catalog.ts"
import { createDownloadBar } from "./progress.ts"

const POLL_MS = 1000

const readModel = async (client: EarmarkClient, name: string): Promise<SpeechModel | undefined> =>
  (await client.models()).models.find((model) => model.name === name)

/**
 * Lets a service download a model and waits for the end. A model that is installed is checked and repaired.
 * @returns the name of the model in the catalog
 * @throws AppError `unavailable` with the reason if the download failed
 */
export const pullRemotely = async (client: EarmarkClient, given: string): Promise<string> => {
  const { pulling: name } = await client.pullModel(given)
  return findModel(given) ? followDownload(client, name) : followPull(client, name)
}

/** Waits until Ollama has pulled a model. Pulls that have ended well are only listed as models of the server. */
const followPull = async (client: EarmarkClient, name: string): Promise<string> => {
  const bar = createDownloadBar(name)
  try {
    for (;;) {
      const { servers } = await client.modelServers()
      const model = servers.flatMap(({ models }) => models).find((listed) => listed.name.toLowerCase() === name)
      if (model?.pulling) {
        bar.update(model.fetched_bytes, model.bytes ?? model.fetched_bytes)
        await sleep(POLL_MS)
        continue
      }
      if (model?.state !== "present")
        throw new AppError("unavailable", model?.problem ?? `Ollama did not pull ${name}. See the log of the service.`)
      bar.finish()
      return name
    }
  } finally {
    bar.end()
  }
}

const followDownload = async (client: EarmarkClient, name: string): Promise<string> => {
  const bar = createDownloadBar(name)
  try {
    for (;;) {
      const model = await readModel(client, name)
      if (model?.pulling) {
        bar.update(model.fetched_bytes, model.bytes)
        await sleep(POLL_MS)
        continue
      }
      if (model?.state !== "present")
        throw new AppError("unavailable", model?.problem ?? `The service did not download ${name}. See its log.`)
      bar.finish()
      return name
    }
  } finally {
    bar.end()
  }
}
