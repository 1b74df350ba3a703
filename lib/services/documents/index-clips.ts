import { splitTranscript } from "../../documents/clip-chunks.ts"
import { sha256, uuid5 } from "../../domain/ids.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { Deps } from "../deps.ts"
import { embedUnlessStored } from "../embedding/stored-vectors.ts"

type IndexDeps = Pick<Deps, "store" | "index" | "config" | "log">

/** Clips that this process is indexing, so that concurrent questions index a clip once. */
const indexing = new Map<string, Promise<void>>()

/**
 * Indexes the chunks of every clip that is new or whose title or transcript has changed, unless an embedding model would
 * have to embed them, which takes long.
 */
export const indexClipsQuickly = async (
  deps: IndexDeps & Pick<Deps, "engines">,
  signal: AbortSignal,
): Promise<void> => {
  const embedder = await deps.engines.getEmbedder()
  if (embedder.isLexical) await indexClips(deps, embedder, signal)
}

/** Indexes the chunks of every clip that is new or whose title or transcript has changed. Stops between two clips if aborted. */
export const indexClips = async (deps: IndexDeps, embedder: Embedder, signal: AbortSignal): Promise<void> => {
  for (const id of await deps.index.listClipsWithoutChunks(embedder.name)) {
    if (signal.aborted) return
    const key = `${embedder.name} ${id}`
    const running = indexing.get(key) ?? indexClip(deps, embedder, id, signal).finally(() => indexing.delete(key))
    indexing.set(key, running)
    await running
  }
}

/** How often a clip is indexed anew because it was edited meanwhile. Then the next question indexes it. */
const MAX_ATTEMPTS = 3

const indexClip = async (deps: IndexDeps, embedder: Embedder, id: string, signal: AbortSignal): Promise<void> => {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) if (await tryIndexClip(deps, embedder, id, signal)) return
}

/**
 * Indexes one clip. A clip without words is stored without chunks, so that it counts as indexed.
 * @returns false if the title or the transcript changed while its chunks were embedded
 */
const tryIndexClip = async (
  { store, index, config, log }: IndexDeps,
  embedder: Embedder,
  id: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const clip = await store?.clips.get(id)
  if (!clip) return true
  const chunks = splitTranscript(clip, config.documents.chunkSize)
  const texts = chunks.map((chunk) => chunk.text)
  const vectors =
    store && !embedder.isLexical
      ? await embedUnlessStored(store, embedder, texts, signal)
      : await embedder.embed(texts, "document", signal)
  const isWritten = await index.put({
    id: uuid5(`clip:${id}`),
    kind: "clip",
    source: id,
    fingerprint: sha256(texts.join("\n")),
    embedModel: embedder.name,
    chunks: chunks.map((chunk, i) => ({ ...chunk, vector: vectors[i]! })),
    clip,
  })
  log.debug(
    { clip: id, chunks: chunks.length },
    isWritten ? "indexed a clip" : "the title or the words of a clip changed meanwhile",
  )
  return isWritten
}
