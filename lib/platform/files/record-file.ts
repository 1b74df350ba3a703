import { closeSync, openSync, readSync } from "node:fs"
import { open, rm } from "node:fs/promises"
import { join } from "node:path"
import { deserialize } from "node:v8"
import { makeFolder } from "./folder.ts"
import { createTempName } from "./temp-files.ts"

const LENGTH_BYTES = 4

/** A temporary file of records, for data that would need much memory. */
export type RecordFile = {
  readonly path: string
  /** Adds a record that `serialize` of node:v8 has made. */
  append(record: Uint8Array): Promise<void>
  remove(): Promise<void>
}

/** Creates a file that only this user can read, in a folder for temporary files. */
export const createRecordFile = async (folder: string): Promise<RecordFile> => {
  makeFolder(folder)
  const path = join(folder, createTempName())
  const file = await open(path, "wx", 0o600)
  return {
    path,
    append: async (record) => {
      const length = Buffer.alloc(LENGTH_BYTES)
      length.writeUInt32LE(record.byteLength)
      await file.writev([length, record])
    },
    remove: async () => {
      await file.close()
      await rm(path, { force: true })
    },
  }
}

/** Returns how many bytes a record takes in a file. The first one begins at position 0. */
export const bytesOfRecord = (record: Uint8Array): number => LENGTH_BYTES + record.byteLength

/** Reads the record at a position, as it was appended. */
export const readRecordAt = async (path: string, position: number): Promise<Buffer> => {
  const file = await open(path, "r")
  try {
    const length = Buffer.alloc(LENGTH_BYTES)
    await file.read(length, 0, LENGTH_BYTES, position)
    const record = Buffer.allocUnsafe(length.readUInt32LE())
    await file.read(record, 0, record.length, position + LENGTH_BYTES)
    return record
  } finally {
    await file.close()
  }
}

/** Reads the records of a file one by one. */
export function* readRecords(path: string): Generator<unknown> {
  const file = openSync(path, "r")
  const length = Buffer.alloc(LENGTH_BYTES)
  try {
    for (let position = 0; readSync(file, length, 0, LENGTH_BYTES, position) === LENGTH_BYTES; ) {
      const record = Buffer.allocUnsafe(length.readUInt32LE())
      readSync(file, record, 0, record.length, position + LENGTH_BYTES)
      yield deserialize(record)
      position += LENGTH_BYTES + record.length
    }
  } finally {
    closeSync(file)
  }
}
