import { extname } from "node:path"
import { textOfBlock } from "../../documents/content/content-builder.ts"
import { matchesFormat } from "../../documents/formats.ts"
import type { ContentPortion, DocumentContent, DocumentMatches } from "../../domain/document-content.ts"
import { formatOf } from "../../domain/document-formats.ts"
import { AppError, messageOf } from "../../domain/errors.ts"
import type { FileEntry } from "../../storage/stores/ports/documents.ts"
import type { Deps } from "../deps.ts"
import type { Content } from "./content-cache.ts"
import { readDocumentFile, unknownDocument } from "./documents.ts"
import { readFingerprint } from "./fingerprint.ts"
import { createIndexContent } from "./index-content.ts"
import { hashInTurns } from "./prepare-file.ts"

type DocumentRef = { readonly id: string }

const MAX_MATCHES = 1000

/** Errors that concern the file itself, so that its chunks are shown instead. */
const FILE_ERRORS = ["forbidden", "invalid", "not_found", "too_large", "unsupported_media"]

/**
 * Reads the file of a document as it was indexed. Returns null if it has changed since, or if its pages are shown rather than
 * its content.
 * @throws AppError as `readDocumentFile` and the parser do
 */
const readFromFile = async (deps: Deps, { id, source, chunks }: FileEntry): Promise<Content | null> => {
  const format = formatOf(source)
  const fingerprint = (await deps.index.findBySource("file", [source])).get(source)?.fingerprint
  if (format === null || format === "pdf" || fingerprint === undefined) return null
  const { bytes } = await readDocumentFile(deps, { id })
  const { contentHash, split } = readFingerprint(fingerprint)
  if ((await hashInTurns(bytes)) !== contentHash || !matchesFormat(format, bytes)) return null
  const requester = {}
  const content = await deps.parser.readContent({ path: source, format, bytes, split, requester })
  if (content.chunks === chunks) return { ...content, from: "file" }
  // Another version has indexed the file.
  await content.remove()
  return null
}

const makeContent = async (deps: Deps, file: FileEntry): Promise<Content> => {
  const fromFile = await readFromFile(deps, file).catch((error: unknown) => {
    if (!AppError.is(error) || !FILE_ERRORS.includes(error.code)) throw error
    deps.log.debug({ document: file.id, extension: extname(file.source), detail: messageOf(error) }, "not laid out")
    return null
  })
  if (fromFile !== null) return fromFile
  const found = await deps.index.getFile(file.id)
  if (!found) throw unknownDocument(file.id)
  return { ...(await createIndexContent(found.chunks, deps.config.data.tempDir)), from: "index" }
}

const openContent = async (deps: Deps, { id }: DocumentRef): Promise<Content> => {
  const found = await deps.index.getFile(id, { first: 0, count: 0 })
  if (!found) throw unknownDocument(id)
  const { document } = found
  return deps.contents.get(`${id} ${document.writtenAt}`, () => makeContent(deps, document))
}

/** Returns what a document contains. @throws AppError `not_found`, `unavailable` */
export const getDocumentContent = async (deps: Deps, ref: DocumentRef): Promise<DocumentContent> => {
  const { from, portions, outline } = await openContent(deps, ref)
  return { from, portions: [...portions], outline: [...outline] }
}

/** Returns a portion of the content of a document. @throws AppError `not_found`, `unavailable` */
export const getContentPortion = async (
  deps: Deps,
  { id, portion }: DocumentRef & { readonly portion: number },
): Promise<ContentPortion> => {
  const content = await openContent(deps, { id })
  if (portion >= content.portions.length)
    throw new AppError("not_found", `document '${id}' has no portion ${portion}, only ${content.portions.length}`)
  return content.readPortion(portion)
}

/** Yields where a text begins in another, in any case. */
function* findAll(text: string, wanted: string): Generator<number> {
  const lower = text.toLowerCase()
  // Lower case changes the length of a few letters, whose positions would be wrong.
  const within = lower.length === text.length ? lower : text
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + wanted.length)) yield at
}

/** Finds a text in the content of a document. A match is in one block. @throws AppError `not_found`, `unavailable` */
export const findInDocument = async (
  deps: Deps,
  { id, q }: DocumentRef & { readonly q: string },
): Promise<DocumentMatches> => {
  const content = await openContent(deps, { id })
  const wanted = q.toLowerCase()
  const matches: DocumentMatches["matches"] = []
  let total = 0
  for (let portion = 0; portion < content.portions.length; portion++)
    for (const [block, found] of (await content.readPortion(portion)).blocks.entries())
      for (const from of findAll(textOfBlock(found), wanted)) {
        total++
        if (matches.length < MAX_MATCHES) matches.push({ portion, block, from, to: from + wanted.length })
      }
  return { total, matches }
}
