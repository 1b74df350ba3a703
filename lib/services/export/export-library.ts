import type { ExportLibraryQuery, ExportLine } from "../../api/export.ts"
import type { ClipEntry } from "../../domain/clips.ts"
import { type Deps, requireStore } from "../deps.ts"
import { getDocument, listDocuments } from "../documents/documents.ts"

const PAGE_SIZE = 50

/** Yields all entries of a list, page by page. */
async function* eachEntry<T>(
  readPage: (cursor: string | undefined) => Promise<{ entries: readonly T[]; next_cursor?: string | undefined }>,
): AsyncGenerator<T> {
  let cursor: string | undefined
  do {
    const { entries, next_cursor } = await readPage(cursor)
    yield* entries
    cursor = next_cursor
  } while (cursor !== undefined)
}

const eachClip = (deps: Deps): AsyncGenerator<ClipEntry> =>
  eachEntry(async (cursor) => {
    const { clips, next_cursor } = await requireStore(deps).clips.list({ limit: PAGE_SIZE, sort: "created_at", cursor })
    return { entries: clips, next_cursor }
  })

const eachDocument = (deps: Deps) =>
  eachEntry(async (cursor) => {
    const { documents, next_cursor } = await listDocuments(deps, { limit: PAGE_SIZE, cursor })
    return { entries: documents, next_cursor }
  })

/**
 * Yields the whole library: each clip with its topics, oldest first, then each document by path, then the counts. What is
 * deleted meanwhile is left out.
 * @throws AppError `capability_missing`, before the first line
 */
export async function* exportLibrary(
  deps: Deps,
  { include = [] }: Pick<ExportLibraryQuery, "include">,
): AsyncGenerator<ExportLine> {
  const { clips } = requireStore(deps)
  const counts = { clips: 0, topics: 0, documents: 0 }
  for await (const { topics, ...entry } of eachClip(deps)) {
    const words = include.includes("words") ? (await clips.get(entry.id))?.transcription : undefined
    yield { type: "clip", ...entry, ...(words && { transcription: words }) }
    for (const topic of topics) yield { type: "topic", clip_id: entry.id, ...topic }
    counts.clips++
    counts.topics += topics.length
  }
  for await (const document of eachDocument(deps)) {
    const parts = include.includes("text") ? (await getDocument(deps, document)).parts : undefined
    yield { type: "document", ...document, ...(parts && { parts }) }
    counts.documents++
  }
  yield { type: "end", ...counts }
}
