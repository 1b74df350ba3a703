import { passagesOf } from "../../documents/clip-chunks.ts"
import { sha256, uuid5 } from "../../domain/ids.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { Deps } from "../deps.ts"

type FillDeps = Pick<Deps, "store" | "index" | "config" | "log">

const fillClip = async (
  { store, index, config, log }: FillDeps,
  embedder: Embedder,
  id: string,
  signal: AbortSignal,
) => {
  const clip = await store?.clips.get(id)
  if (!clip) return
  const chunks = passagesOf(clip, config.documents.chunkSize)
  const vectors = await embedder.embed(
    chunks.map((c) => c.text),
    "document",
    signal,
  )
  await index.put({
    id: uuid5(`clip:${id}`),
    kind: "clip",
    source: id,
    fingerprint: sha256(chunks.map((c) => c.text).join("\n")),
    embedModel: embedder.name,
    chunks: chunks.map((chunk, i) => ({ ...chunk, vector: vectors[i]! })),
  })
  log.debug({ clip: id, passages: chunks.length }, "passages of a clip made")
}

/** Clips that are being filled in this process: two questions at once do not do it twice. */
const filling = new Map<string, Promise<void>>()

/** Makes the passages of every clip whose transcript is new or has changed. A clip without words has none and is done. */
export const fillClips = async (deps: FillDeps, embedder: Embedder, signal: AbortSignal): Promise<void> => {
  for (const id of await deps.index.listClipsWithoutChunks(embedder.name)) {
    const key = `${embedder.name} ${id}`
    const running = filling.get(key) ?? fillClip(deps, embedder, id, signal).finally(() => filling.delete(key))
    filling.set(key, running)
    await running
  }
}
