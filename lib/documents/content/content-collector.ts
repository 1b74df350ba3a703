import type { ContentPortion, OutlineEntry, PortionEntry } from "../../domain/document-content.ts"
import { bytesOfRecord, createRecordFile, type RecordFile, readRecordAt } from "../../platform/files/record-file.ts"
import type { Collector } from "../chunk-collector.ts"

/** What a file contains, besides the portions themselves. */
export type ContentSummary = {
  readonly portions: readonly PortionEntry[]
  readonly outline: readonly OutlineEntry[]
  /** The number of chunks. */
  readonly chunks: number
}

/** The content of a file. Its portions are in a temporary file. */
export type ContentFile = ContentSummary & {
  readPortion(portion: number): Promise<ContentPortion>
  remove(): Promise<void>
}

/** Collects the content that a child process sends. @param folder where the temporary file is created */
export const createContentCollector = (folder: string): Collector<ContentFile> => {
  let file: Promise<RecordFile> | undefined
  const positions: number[] = []
  let end = 0
  const open = () => {
    file ??= createRecordFile(folder)
    return file
  }
  return {
    add: ({ record }) => {
      positions.push(end)
      end += bytesOfRecord(record)
      file = open().then(async (opened) => {
        await opened.append(record)
        return opened
      })
      // `finish` reports an error.
      file.catch(() => {})
    },
    finish: async ({ record }) => {
      const { path, remove } = await open()
      return {
        ...(JSON.parse(Buffer.from(record).toString()) as ContentSummary),
        readPortion: async (portion) => JSON.parse((await readRecordAt(path, positions[portion]!)).toString()),
        remove,
      }
    },
    discard: () => void file?.then((opened) => opened.remove()).catch(() => {}),
  }
}
