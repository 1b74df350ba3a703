import { extname } from "node:path"
import { fits, formatOf } from "../../documents/formats.ts"
import { type Split, split } from "../../documents/split.ts"
import type { Found } from "../../documents/walk.ts"
import { AppError } from "../../domain/errors.ts"
import { bytesHash, uuid5 } from "../../domain/ids.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { NewDocument } from "../../storage/stores/ports/documents.ts"
import type { Deps } from "../deps.ts"

/** Rises when loaders or the splitter change what they make of a file, so that files are read anew. */
const EXTRACTION = 1

export type Work = {
  readonly deps: Deps
  readonly embedder: Embedder
  /** The bytes of a file; `admit` is awaited before they are read, with their number. */
  readonly read: (path: string, admit: (size: number) => Promise<void>) => Promise<Uint8Array>
  readonly signal: AbortSignal
}

/** What a chunk's vector stands for: the text, after what it is about where the text itself does not say it. */
const embeddedText = ({ text, context }: Split): string => {
  const missing = context.split("\n").filter((part) => part && !text.includes(part))
  return [...missing, text].join("\n")
}

/** A file of more bytes waits until it is first in line: what is made of it fills the memory. */
const LARGE = 4 * 2 ** 20

/** A document is written in one transaction, during which this process answers nobody: some 2 s for so many chunks. */
const MAX_CHUNKS = 20_000

export type Prepared = { readonly path: string } & (
  | { readonly error: unknown }
  | { readonly unchanged: true }
  | { readonly document: NewDocument }
)

/** Reads, splits and embeds one file; nothing of it is written. */
const prepare = async (
  { deps, embedder, read, signal }: Work,
  path: string,
  turn: Promise<void>,
): Promise<NewDocument | null> => {
  const { config, index, parser } = deps
  const bytes = await read(path, (size) => (size > LARGE ? turn : Promise.resolve()))
  const { chunkSize, chunkOverlap } = config.documents
  const fingerprint = [bytesHash(bytes), embedder.name, chunkSize, chunkOverlap, EXTRACTION].join(" ")
  const known = (await index.findBySource("file", [path])).get(path)
  if (known?.fingerprint === fingerprint) return null
  const format = formatOf(path)
  if (format === null || !fits(format, bytes))
    throw new AppError(
      "unsupported_media",
      `'${path}' does not hold what its ending '${extname(path)}' says: save it anew (text as UTF-8), or give it the ending of what it is`,
    )
  const chunks = split(await parser.parse(path, format, bytes, signal), { chunkSize, chunkOverlap })
  if (chunks.length === 0) throw new AppError("invalid", `'${path}' holds no text`)
  if (chunks.length > MAX_CHUNKS)
    throw new AppError(
      "too_large",
      `'${path}' gives ${chunks.length} passages, and one document may have ${MAX_CHUNKS}: split it into smaller files`,
    )
  const vectors = await embedder.embed(chunks.map(embeddedText), "document", signal)
  return {
    id: uuid5(`file:${path}`),
    kind: "file",
    source: path,
    fingerprint,
    embedModel: embedder.name,
    chunks: chunks.map((chunk, i) => ({ ...chunk, vector: vectors[i]! })),
  }
}

/** What is to be done with a file that was found; what is wrong with it comes as its error. */
export const prepareFile = async (work: Work, found: Found, turn: Promise<void>): Promise<Prepared> => {
  const { path } = found
  if ("error" in found) return found
  try {
    work.signal.throwIfAborted()
    const document = await prepare(work, path, turn)
    return document === null ? { path, unchanged: true } : { path, document }
  } catch (error) {
    return { path, error }
  }
}
