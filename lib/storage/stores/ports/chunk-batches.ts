import { readRecords } from "../../../platform/files/record-file.ts"
import type { NewChunk, NewDocument } from "./documents.ts"

type Chunks = NewDocument["chunks"]

export const countChunks = (chunks: Chunks): number => ("path" in chunks ? chunks.count : chunks.length)

/** Yields the chunks of a document in order, a few at a time. */
export function* batchChunks(chunks: Chunks, size: number): Generator<readonly NewChunk[]> {
  const lists = "path" in chunks ? (readRecords(chunks.path) as Generator<readonly NewChunk[]>) : [chunks]
  for (const list of lists) for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size)
}
