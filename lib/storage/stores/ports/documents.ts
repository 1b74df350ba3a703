import type { ChunkMetadata, QueryScope } from "../../../domain/documents.ts"

/** What a document is: a file that was ingested, or the transcript of a clip. */
export type DocumentKind = "file" | "clip"

export type DocumentRef = {
  readonly id: string
  readonly kind: DocumentKind
  /** The absolute path of a file, the id of a clip. */
  readonly source: string
  /** Changes with the content and with all that decides how it is split and embedded. */
  readonly fingerprint: string
}

export type NewChunk = {
  readonly text: string
  /** Words that say what the chunk is about and do not stand in it: title, heading. Searched, never shown. */
  readonly context: string
  readonly metadata: Omit<ChunkMetadata, "source">
  readonly vector: Float32Array
}

export type NewDocument = DocumentRef & { readonly embedModel: string; readonly chunks: readonly NewChunk[] }

/** A chunk by its number in the index; numbers are never used twice. */
export type Hit = { readonly row: number; readonly score: number }

export type StoredChunk = {
  readonly row: number
  readonly documentId: string
  readonly kind: DocumentKind
  readonly ordinal: number
  readonly text: string
  readonly metadata: ChunkMetadata
}

/** A word, or words that follow each other, and how much a passage that has them gains by it. */
export type SearchTerm = { readonly words: readonly string[]; readonly weight: number }

export type SearchScope = { readonly scope: QueryScope; readonly limit: number }

/** A file that is kept, as people see it in a list. */
export type FileEntry = {
  readonly id: string
  readonly source: string
  readonly title: string | null
  readonly chunks: number
  /** Milliseconds since the epoch. */
  readonly writtenAt: number
}

/** SQLite joins at most 500 searches into one. */
export const MAX_TERMS = 400

export type IndexCounts = {
  readonly documents: number
  readonly chunks: number
  readonly textRows: number
  readonly vectors: number
}

/**
 * Documents, and what makes them findable. A document with all its chunks, full-text rows and vectors is written and
 * removed in one transaction, so the last three are always equal in number. Throws as Store does.
 */
export interface DocumentIndex {
  readonly kind: string
  /** What is kept of these sources, by source. */
  findBySource(kind: DocumentKind, sources: readonly string[]): Promise<Map<string, DocumentRef>>
  /** Ingested files, by source. */
  listFiles(): Promise<FileEntry[]>
  /** A file with its chunks in their order; null: there is none of this id. */
  getFile(id: string): Promise<{ readonly document: FileEntry; readonly chunks: readonly StoredChunk[] } | null>
  /** Documents whose source is this path or lies below it. */
  listUnderPath(path: string): Promise<DocumentRef[]>
  /** Writes a document in place of the one with its source. */
  put(document: NewDocument): Promise<void>
  /** @returns how many there were */
  remove(ids: readonly string[]): Promise<number>
  /** Clips with a transcript whose passages are not kept with vectors of this model. */
  listClipsWithoutChunks(embedModel: string): Promise<string[]>
  /**
   * Chunks that hold at least one of the terms, by the weighted sum of their BM25 over stems, best first, scores above 0.
   * Words are taken as they are. At most MAX_TERMS terms are looked at, the first.
   */
  searchText(terms: readonly SearchTerm[], p: SearchScope): Promise<Hit[]>
  /** Chunks by cosine with a vector of unit length, best first. Only vectors of this model are looked at. */
  searchVectors(embedModel: string, vector: Float32Array, p: SearchScope): Promise<Hit[]>
  /** In how many chunks of the scope each word stands, and how many chunks there are. */
  countChunksWithWords(words: readonly string[], scope: QueryScope): Promise<{ total: number; counts: number[] }>
  getChunks(rows: readonly number[]): Promise<StoredChunk[]>
  getVectors(embedModel: string, rows: readonly number[]): Promise<Map<number, Float32Array>>
  getCounts(): Promise<IndexCounts>
}
