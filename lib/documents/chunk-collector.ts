import { deserialize } from "node:v8"
import { createRecordFile, type RecordFile } from "../platform/files/record-file.ts"
import type { ChunkRecord } from "./parser-messages.ts"
import type { ParsedChunk } from "./split.ts"

/** The chunks of a file. More than a few are in a file, which the caller removes, because they would need much memory. */
export type ParsedChunks =
  | { readonly count: number; readonly list: readonly ParsedChunk[] }
  | { readonly count: number; readonly file: RecordFile }

/** Collects what a child process makes of a file. */
export type Collector<T> = {
  add(record: ChunkRecord): void
  /** Adds the last record and returns all. @throws the error of writing the file */
  finish(record: ChunkRecord): Promise<T>
  discard(): void
}

/** @param folder where the file is created */
export const createChunkCollector = (folder: string): Collector<ParsedChunks> => {
  let count = 0
  let file: Promise<RecordFile> | undefined
  const add = (added: ChunkRecord): void => {
    count += added.count
    file = (file ?? createRecordFile(folder)).then(async (opened) => {
      await opened.append(added.record)
      return opened
    })
    // `finish` reports an error.
    file.catch(() => {})
  }
  return {
    add,
    finish: async (last) => {
      if (file === undefined) return { count: last.count, list: deserialize(last.record) as ParsedChunk[] }
      add(last)
      return { count, file: await file }
    },
    discard: () => void file?.then((opened) => opened.remove()).catch(() => {}),
  }
}
