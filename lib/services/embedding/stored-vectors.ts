import { sha256 } from "../../domain/ids.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { Store } from "../../storage/stores/ports/store.ts"

/** The number of texts that are embedded before their vectors are stored. */
const BATCH_SIZE = 32

/** Returns the texts without a stored vector of this model, by hash. */
export const findMissing = async (
  { map }: Pick<Store, "map">,
  model: string,
  texts: ReadonlyMap<string, string>,
): Promise<Map<string, string>> => {
  const stored = await map.getVectors(model, [...texts.keys()])
  return new Map([...texts].filter(([hash]) => !stored.has(hash)))
}

/** Embeds texts and stores their vectors by hash. Reports the number of texts after each batch. */
export const embedAndStore = async (
  { map }: Pick<Store, "map">,
  embedder: Embedder,
  texts: ReadonlyMap<string, string>,
  signal: AbortSignal,
  onProgress: (texts: number) => Promise<void>,
): Promise<void> => {
  const entries = [...texts]
  for (let at = 0; at < entries.length; at += BATCH_SIZE) {
    signal.throwIfAborted()
    const batch = entries.slice(at, at + BATCH_SIZE)
    const vectors = await embedder.embed(
      batch.map(([, text]) => text),
      "document",
      signal,
    )
    await map.putVectors(
      embedder.name,
      batch.map(([hash], i) => ({ hash, vector: vectors[i]! })),
    )
    await onProgress(batch.length)
  }
}

/** Returns the vectors of texts in order. Those that the store has, such as of a change of the embedder, are not computed. */
export const embedUnlessStored = async (
  { map }: Pick<Store, "map">,
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> => {
  const hashes = texts.map((text) => sha256(text))
  const stored = await map.getVectors(embedder.name, hashes)
  const missing = texts.filter((_, i) => !stored.has(hashes[i]!))
  const embedded = missing.length > 0 ? await embedder.embed(missing, "document", signal) : []
  let next = 0
  return hashes.map((hash) => stored.get(hash) ?? embedded[next++]!)
}
