import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { uuid5 } from "#lib/domain/ids.ts"
import { addDocument } from "#lib/services/documents/add-document.ts"
import { removeDocument } from "#lib/services/documents/documents.ts"
import { ingest } from "#lib/services/documents/ingest.ts"
import { cleanUp } from "#lib/services/maintenance/clean-up.ts"
import { getVizData } from "#lib/services/map/map-data.ts"
import { searchViz } from "#lib/services/map/map-search.ts"
import { query } from "#lib/services/search/query.ts"
import { searchLibrary } from "#lib/services/search/search-library.ts"
import { findBlobKey } from "#lib/storage/blobs/keys.ts"
import type { Expectations } from "./expectations.ts"
import { ageUploads, type Library } from "./library.ts"
import { markerOf } from "./recordings.ts"

type Operation = (e: Expectations, library: Library) => Promise<void>

/** The number of documents that are uploaded, and of files that are ingested from a folder. */
const UPLOADED = 2
export const DOCUMENTS = 4

const textOf = (marker: string): string =>
  `# Notes\n\nThe ${marker} is described here.\n\n## Details\n\nHow bees, sails and ${marker} belong together.\n`

const noSignal = new AbortController().signal

/** Adds or replaces a document: uploads always have the same bytes, files in the folder change. */
export const putDocument =
  (slot: number): Operation =>
  async (e, { deps, folder }) => {
    const before = e.documents.get(slot)
    if (slot < UPLOADED) {
      const marker = before?.marker ?? markerOf("docu", e.documentGeneration++)
      const incoming = await deps.blobs.receive(Readable.from([Buffer.from(textOf(marker))]), { maxBytes: 10_000 })
      const { id, source } = await addDocument(deps, { incoming, name: `notes-${slot}.md` }, noSignal)
      e.documents.set(slot, { id, marker, key: findBlobKey(deps.blobs, source) })
      return
    }
    const marker = markerOf("docu", e.documentGeneration++)
    const path = join(folder, `notes-${slot}.md`)
    writeFileSync(path, textOf(marker))
    await ingest(deps, { paths: [path], prune: false }, { signal: noSignal })
    if (before) e.deletedMarkers.push(before.marker)
    e.documents.set(slot, { id: uuid5(`file:${path}`), marker, key: null })
  }

/** Deletes a document. A file in the folder is deleted there, and the next ingest removes it. */
export const deleteDocument =
  (slot: number): Operation =>
  async (e, { deps, folder }) => {
    const document = e.documents.get(slot)
    if (!document) return
    if (slot < UPLOADED) await removeDocument(deps, document)
    else {
      rmSync(join(folder, `notes-${slot}.md`))
      await ingest(deps, { paths: [folder], prune: true }, { signal: noSignal })
    }
    e.documents.delete(slot)
    e.deletedMarkers.push(document.marker)
  }

/** Asks, searches and reads the map, all of which index what is missing. Other operations may start before it ends. */
export const read =
  (slot: number, what: "ask" | "search" | "map", isAwaited: boolean): Operation =>
  async (e, { deps, background }) => {
    const q = e.clips[slot]!.marker
    const reading = {
      ask: () => query(deps, { question: `What about ${q}, sails and honey?`, scope: "all" }, noSignal),
      search: () => Promise.all([searchLibrary(deps, { q, limit: 5 }), searchViz(deps, { q, top_k: 5 })]),
      map: () => getVizData(deps, {}),
    }[what]()
    if (isAwaited) await reading
    else {
      reading.catch(() => undefined)
      background.push(reading)
    }
  }

export const collectGarbage: Operation = async (e, library) => {
  await ageUploads(library)
  await cleanUp(library.deps)
  for (const clip of e.clips) clip.mayLeaveUpload = false
}
