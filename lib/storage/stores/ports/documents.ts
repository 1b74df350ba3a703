import type { ChunkMetadata, DocumentsQuery, QueryScope } from "../../../domain/documents.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"

/** The origin of a document: an ingested file, or the transcript of a clip. */
export type DocumentKind = "file" | "clip"

export type DocumentRef = {
  readonly id: string
  readonly kind: DocumentKind
  /** The absolute path of a file, or the ID of a clip. */
  readonly source: string
  /** A hash of the content and of everything that determines how it is split and embedded. */
  readonly fingerprint: string
}

export type NewChunk = {
  readonly text: string
  /** The title and heading above the chunk. They are searched but not shown. */
  readonly context: string
  readonly metadata: Omit<ChunkMetadata, "source">
  /** The words of a chunk of speech. `text` is these words, separated by single spaces. */
  readonly words?: readonly WordSpan[]
  readonly vector: Float32Array
}

/** A file whose records (`createRecordFile`) are lists of chunks. */
export type ChunkFile = { readonly path: string; readonly count: number }

export type NewDocument = DocumentRef & {
  readonly embedModel: string
  /** In order. Many chunks are in a file. */
  readonly chunks: readonly NewChunk[] | ChunkFile
  /**
   * The title and transcript that the chunks of a clip were made from. If the clip has others by now, nothing is written.
   */
  readonly clip?: { readonly title: string; readonly transcription: readonly WordSpan[] }
}

/** Other vectors for the chunks of a document, which stay as they are. */
export type NewVectors = {
  /** The document whose chunks were embedded. */
  readonly document: DocumentRef
  readonly fingerprint: string
  readonly embedModel: string
  /** One per chunk, in order. */
  readonly vectors: readonly Float32Array[]
}

/** A chunk by its row number in the index. Row numbers are never reused. */
export type Hit = { readonly row: number; readonly score: number }

export type StoredChunk = {
  readonly row: number
  readonly documentId: string
  readonly kind: DocumentKind
  readonly ordinal: number
  readonly text: string
  readonly metadata: ChunkMetadata
}

/** A word or phrase to search for, and the weight of its score. */
export type SearchTerm = { readonly words: readonly string[]; readonly weight: number }

/** A time range of a recording, in seconds. */
export type ClipSection = { readonly clipId: string; readonly start_s: number; readonly end_s: number }

/**
 * Restricts a search. Every condition that is given must hold; of a list, for one entry. Without `documents`, a condition
 * on recordings excludes files; without such a condition, `documents` excludes recordings.
 */
export type ChunkFilter = {
  readonly clipIds?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
  /** The names of speakers of whom one speaks in the chunk. */
  readonly speakers?: readonly string[] | undefined
  /** The chunk's middle is in one of these sections, which do not overlap. */
  readonly sections?: readonly ClipSection[] | undefined
  /** IDs of files. */
  readonly documents?: readonly string[] | undefined
  /** Unix milliseconds of the publication of a recording, or else of its creation; of a file, of its indexing. */
  readonly after?: number | undefined
  readonly before?: number | undefined
}

/** The chunks that a search may return. */
export type ChunkScope = { readonly scope: QueryScope; readonly filter?: ChunkFilter | undefined }
export type SearchScope = ChunkScope & { readonly limit: number }

/** Returns true if a search may return chunks of this kind. */
export const includesKind = (kind: DocumentKind, { scope, filter = {} }: ChunkScope): boolean => {
  const isForClips = Boolean(filter.clipIds ?? filter.tags ?? filter.speakers ?? filter.sections)
  return kind === "clip"
    ? scope !== "documents" && (isForClips || filter.documents === undefined)
    : scope !== "clips" && (filter.documents !== undefined || !isForClips)
}

/** What a search looks through. */
export type ScopeCounts = { readonly clips: number; readonly files: number; readonly chunks: number }

/** Chunks of a document by their positions in it: `first` and those that follow it. */
export type ChunkSelection = { readonly first: number; readonly count: number }

/** An ingested file in a list. */
export type FileEntry = {
  readonly id: string
  readonly source: string
  readonly title: string | null
  readonly chunks: number
  /** Unix time in milliseconds. */
  readonly writtenAt: number
}

export type FilePage = { readonly files: readonly FileEntry[]; readonly next_cursor?: string }

/** The maximum number of terms in a search. SQLite accepts 500 parts in a compound select. */
export const MAX_TERMS = 400

export type IndexCounts = {
  readonly documents: number
  readonly chunks: number
  readonly textRows: number
  readonly vectors: number
}

/**
 * Stores documents and finds their chunks. A document is written and removed in one transaction with all its chunks,
 * full-text rows and vectors, so these are always equal in number. Throws the same errors as `Store`.
 */
export interface DocumentIndex {
  readonly kind: string
  /** Returns the stored documents with these sources, by source. */
  findBySource(kind: DocumentKind, sources: readonly string[]): Promise<Map<string, DocumentRef>>
  /** Lists the ingested files, by source. */
  listFiles(): Promise<FileEntry[]>
  /** Lists a page of the ingested files that match a query. @throws AppError `invalid` for an unknown cursor */
  findFiles(query: DocumentsQuery): Promise<FilePage>
  /** Returns a file with its chunks in order, all or those of a range, or null for an unknown ID. */
  getFile(
    id: string,
    range?: ChunkSelection,
  ): Promise<{ readonly document: FileEntry; readonly chunks: readonly StoredChunk[] } | null>
  /** Returns the chunks of a clip in order; an empty list if it is not indexed. */
  getClipChunks(clipId: string): Promise<StoredChunk[]>
  /** Lists the documents of the file at this path, or of all files in this folder. */
  listUnderPath(path: string): Promise<DocumentRef[]>
  /**
   * Writes a document and replaces the one with the same source. Returns false, with nothing written, if the clip was
   * deleted or no longer has the title and transcript of the document.
   */
  put(document: NewDocument): Promise<boolean>
  /** Lists the ingested files whose chunks have vectors of another model. */
  listFilesOfOtherModels(embedModel: string): Promise<DocumentRef[]>
  /**
   * Replaces the vectors of a document. Returns false, with nothing written, if the document was removed or has another
   * fingerprint or another number of chunks.
   */
  replaceVectors(vectors: NewVectors): Promise<boolean>
  /** Removes documents. Returns the number that existed. */
  remove(ids: readonly string[]): Promise<number>
  /** Lists the clips with a transcript that have no chunks with vectors of this model. */
  listClipsWithoutChunks(embedModel: string): Promise<string[]>
  /**
   * Finds chunks that contain at least one term, ranked by the weighted sum of BM25 scores over stems, best first. Scores
   * are above 0. Terms after the first MAX_TERMS are ignored.
   */
  searchText(terms: readonly SearchTerm[], p: SearchScope): Promise<Hit[]>
  /** Finds chunks by cosine similarity to a vector of unit length, best first, among the vectors of this model. */
  searchVectors(embedModel: string, vector: Float32Array, p: SearchScope): Promise<Hit[]>
  /** Counts, for each word, the chunks in scope that contain it. `total` is the number of chunks in scope. */
  countChunksWithWords(words: readonly string[], scope: ChunkScope): Promise<{ total: number; counts: number[] }>
  /** Counts what a search looks through: recordings and files that have a chunk in scope, and these chunks. */
  countInScope(scope: ChunkScope): Promise<ScopeCounts>
  /** Returns the chunks with these row numbers, in the order of the numbers. */
  getChunks(rows: readonly number[]): Promise<StoredChunk[]>
  /**
   * Returns the words of these chunks of speech by row number. Chunks that were stored without words are absent, such as
   * those of documents and of clips indexed by an older version.
   */
  getWords(rows: readonly number[]): Promise<Map<number, readonly WordSpan[]>>
  /** Returns the vectors of these rows by row number. Rows without a vector of this model are absent. */
  getVectors(embedModel: string, rows: readonly number[]): Promise<Map<number, Float32Array>>
  getCounts(): Promise<IndexCounts>
}
