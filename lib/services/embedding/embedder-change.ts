import { splitTranscript } from "../../documents/clip-chunks.ts"
import { sha256 } from "../../domain/ids.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { Deps } from "../deps.ts"
import { embeddedTexts } from "../documents/index-documents.ts"
import { type ChangeProgress, formatChangeProgress, getPendingChange } from "./pending-change.ts"
import { embedAndStore, findMissing } from "./stored-vectors.ts"

type ChangeDeps = Pick<Deps, "engines" | "index" | "config"> & { readonly store: Store }

/** A clip whose texts changed while they were embedded is embedded again, at most this often. */
const MAX_ROUNDS = 5

/** The texts of titles and summaries on the map, by the hash under which their vectors are stored. */
const listTopicTexts = async ({ store }: ChangeDeps): Promise<Map<string, string>> => {
  const { topics } = await store.map.getSnapshot()
  return new Map(topics.map(({ hash, text }) => [hash, text]))
}

const listClipTexts = async ({ store, config }: ChangeDeps, id: string): Promise<Map<string, string>> => {
  const clip = await store.clips.get(id)
  const chunks = clip ? splitTranscript(clip, config.documents.chunkSize) : []
  return new Map(chunks.map(({ text }) => [sha256(text), text]))
}

/** The texts of the chunks of a document, by hash. */
const listDocumentTexts = async ({ index }: ChangeDeps, id: string): Promise<Map<string, string>> => {
  const texts = embeddedTexts((await index.getFile(id))?.chunks ?? [])
  return new Map(texts.map((text) => [sha256(text), text]))
}

/** Yields the texts of each part of the library that are embedded together, by hash. */
async function* listTexts(deps: ChangeDeps, model: string): AsyncGenerator<Map<string, string>> {
  yield await listTopicTexts(deps)
  for (const id of await deps.index.listClipsWithoutChunks(model)) yield await listClipTexts(deps, id)
  for (const { id } of await deps.index.listFilesOfOtherModels(model)) yield await listDocumentTexts(deps, id)
}

/** Returns the number of texts that have to be embedded with a model before it can replace the current one. */
export const countTextsToEmbed = async (deps: ChangeDeps, { name, isLexical }: Embedder): Promise<number> => {
  // The builtin embedder is fast, and the map does not use its vectors.
  if (isLexical) return 0
  let count = 0
  for await (const texts of listTexts(deps, name)) count += (await findMissing(deps.store, name, texts)).size
  return count
}

/** Asks for another embedder. The current one stays in use until `finishChange` has embedded all texts. */
export const requestChange = ({ installation }: Store, value: string, total: number): Promise<void> =>
  installation.setChoice("next_embedder", { value, reason: formatChangeProgress({ done: 0, total }) })

/**
 * Embeds the texts of the library with the embedder that has been asked for, then makes it the embedder of the
 * installation. Vectors are stored as they are computed, so that an interrupted change continues.
 * @returns false if there is nothing to change, or if the request was replaced or withdrawn
 * @throws AppError of the embedder, for example `unavailable`
 */
export const finishChange = async (
  deps: ChangeDeps,
  signal: AbortSignal,
  onProgress: (progress: ChangeProgress) => void = () => {},
): Promise<boolean> => {
  const { store } = deps
  const change = await getPendingChange(store)
  if (!change) return false
  const embedder = await deps.engines.findEmbedder(change.value)
  let done = 0
  let total = await countTextsToEmbed(deps, embedder)
  const isWithdrawn = async () => (await getPendingChange(store))?.value !== change.value
  const report = async (texts: number): Promise<void> => {
    if (await isWithdrawn()) throw new WithdrawnError()
    done += texts
    total = Math.max(total, done)
    onProgress({ done, total })
    await store.installation.setChoice("next_embedder", {
      value: change.value,
      reason: formatChangeProgress({ done, total }),
    })
  }
  const embedMissing = async (texts: ReadonlyMap<string, string>): Promise<void> =>
    embedAndStore(store, embedder, await findMissing(store, embedder.name, texts), signal, report)
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      for await (const texts of listTexts(deps, embedder.name)) await embedMissing(texts)
      if ((await countTextsToEmbed(deps, embedder)) === 0) break
    }
  } catch (error) {
    if (error instanceof WithdrawnError) return false
    throw error
  }
  if (await isWithdrawn()) return false
  await store.installation.setChoice("embedder", { value: change.value, reason: "chosen by a person" })
  await store.installation.setChoice("next_embedder", null)
  return true
}

class WithdrawnError extends Error {}
