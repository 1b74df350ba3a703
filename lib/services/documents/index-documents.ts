import { chunkEmbeddingText } from "../../documents/split.ts"
import { chunkContext } from "../../domain/documents.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { StoredChunk } from "../../storage/stores/ports/documents.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { Deps } from "../deps.ts"
import { embedUnlessStored } from "../embedding/stored-vectors.ts"
import { withEmbedder } from "./fingerprint.ts"
import { indexClips } from "./index-clips.ts"

type IndexDeps = Pick<Deps, "store" | "index" | "config" | "log">

/** Returns the texts that are embedded of the chunks of a document. */
export const embeddedTexts = (chunks: readonly Pick<StoredChunk, "text" | "metadata">[]): string[] =>
  chunks.map(({ text, metadata }) => chunkEmbeddingText({ text, context: chunkContext(metadata), metadata }))

/**
 * Gives every ingested document vectors of an embedder, from its stored chunks: files are not read again. Stops between two
 * documents if aborted. A document that is ingested or removed meanwhile is left to the next call.
 */
export const indexDocuments = async (
  { store, index, log }: IndexDeps,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<void> => {
  for (const document of await index.listFilesOfOtherModels(embedder.name)) {
    if (signal.aborted) return
    const texts = embeddedTexts((await index.getFile(document.id))?.chunks ?? [])
    const vectors =
      store && !embedder.isLexical
        ? await embedUnlessStored(store, embedder, texts, signal)
        : await embedder.embed(texts, "document", signal)
    const fingerprint = withEmbedder(document.fingerprint, embedder.name)
    const isWritten = await index.replaceVectors({ document, fingerprint, embedModel: embedder.name, vectors })
    log.debug({ document: document.id, chunks: texts.length, isWritten }, "embedded the chunks of a document")
  }
}

/** Returns true if documents have vectors of another embedder than the chosen one. Makes no choice if there is none. */
export const hasOutdatedDocuments = async ({
  store,
  index,
  engines,
}: Pick<Deps, "index" | "engines"> & { readonly store: Pick<Store, "installation"> }): Promise<boolean> => {
  const isChosen = (await store.installation.listChoices()).some(({ kind }) => kind === "embedder")
  if (!isChosen || (await index.listFiles()).length === 0) return false
  return (await index.listFilesOfOtherModels((await engines.getEmbedder()).name)).length > 0
}

/** Gives everything in the library vectors of an embedder, for example after it has changed. */
export const indexLibrary = async (deps: IndexDeps, embedder: Embedder, signal: AbortSignal): Promise<void> => {
  await indexClips(deps, embedder, signal)
  await indexDocuments(deps, embedder, signal)
}
