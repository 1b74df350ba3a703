import { splitTranscript } from "../../documents/clip-chunks.ts"
import { sha256, uuid5 } from "../../domain/ids.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { Deps } from "../deps.ts"

type IndexDeps = Pick<Deps, "store" | "index" | "config" | "log">

/** Clips that this process is indexing, so that concurrent questions index a clip once. */
const indexing = new Map<string, Promise<void>>()

/** Indexes the chunks of every clip whose transcript is new or has changed. */
export const indexClips = async (deps: IndexDeps, embedder: Embedder, signal: AbortSignal): Promise<void> => {
  for (const id of await deps.index.listClipsWithoutChunks(embedder.name)) {
    const key = `${embedder.name} ${id}`
    const running = indexing.get(key) ?? indexClip(deps, embedder, id, signal).finally(() => indexing.delete(key))
    indexing.set(key, running)
    await running
  }
}

/** Indexes one clip. A clip without words is stored without chunks, so that it counts as indexed. */
const indexClip = async (
  { store, index, config, log }: IndexDeps,
  embedder: Embedder,
  id: string,
  signal: AbortSignal,
) => {
  const clip = await store?.clips.get(id)
  if (!clip) return
  const chunks = splitTranscript(clip, config.documents.chunkSize)
  const texts = chunks.map((chunk) => chunk.text)
  const vectors = await embedder.embed(texts, "document", signal)
  await index.put({
    id: uuid5(`clip:${id}`),
    kind: "clip",
    source: id,
    fingerprint: sha256(texts.join("\n")),
    embedModel: embedder.name,
    chunks: chunks.map((chunk, i) => ({ ...chunk, vector: vectors[i]! })),
  })
  log.debug({ clip: id, chunks: chunks.length }, "indexed a clip")
}
