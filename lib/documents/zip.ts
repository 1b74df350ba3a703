import { type Entry, fromBuffer, type ZipFile } from "yauzl"
import { AppError } from "../domain/errors.ts"

/** Limits of an archive, whatever its headers say: names are counted, bytes are counted as they come out. */
const MAX_ENTRIES = 3000
const MAX_BYTES = 200 * 2 ** 20
const MAX_RATIO = 100
/** Small parts compress well by nature; the ratio is looked at from here on. */
const RATIO_FROM = 2 ** 20

const bad = (why: string): AppError => new AppError("invalid", `its archive ${why}`)

const openZip = (bytes: Uint8Array): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { lazyEntries: true }, (error, zip) =>
      error ? reject(bad(`is damaged (${error.message})`)) : resolve(zip),
    )
  })

const entriesOf = (zip: ZipFile): Promise<Map<string, Entry>> =>
  new Promise((resolve, reject) => {
    if (zip.entryCount > MAX_ENTRIES) reject(bad(`has more than ${MAX_ENTRIES} entries`))
    const entries = new Map<string, Entry>()
    let declared = 0
    zip.on("error", (error: Error) => reject(bad(`is damaged (${error.message})`)))
    zip.on("entry", (entry: Entry) => {
      declared += entry.uncompressedSize
      const { uncompressedSize: size, compressedSize } = entry
      if (entries.size >= MAX_ENTRIES) return reject(bad(`has more than ${MAX_ENTRIES} entries`))
      if (declared > MAX_BYTES) return reject(bad(`unpacks to more than ${MAX_BYTES / 2 ** 20} MB`))
      if (size > RATIO_FROM && size > MAX_RATIO * compressedSize)
        return reject(bad(`is packed more than ${MAX_RATIO} to 1`))
      entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.on("end", () => resolve(entries))
    zip.readEntry()
  })

const read = (zip: ZipFile, entry: Entry, room: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(bad(`is damaged (${error.message})`))
    zip.openReadStream(entry, (error, stream) => {
      if (error) return fail(error)
      const parts: Buffer[] = []
      let size = 0
      stream.on("error", fail)
      stream.on("data", (part: Buffer) => {
        size += part.length
        if (size > room) {
          stream.destroy()
          return reject(bad(`unpacks to more than ${MAX_BYTES / 2 ** 20} MB`))
        }
        parts.push(part)
      })
      stream.on("end", () => resolve(Buffer.concat(parts)))
    })
  })

export type Archive = {
  readonly names: readonly string[]
  /** A part as text; null when there is none of that name. */
  text(name: string): Promise<string | null>
  bytes(name: string): Promise<Uint8Array | null>
}

/**
 * The parts of a zip file, read in memory and never written, so that names that lead elsewhere lead nowhere. Archives
 * inside are not opened.
 * @throws AppError `invalid` when it is damaged, has too many entries or unpacks to too much
 */
export const openArchive = async (data: Uint8Array): Promise<Archive> => {
  const zip = await openZip(data)
  const entries = await entriesOf(zip)
  let room = MAX_BYTES
  const bytes = async (name: string): Promise<Uint8Array | null> => {
    const entry = entries.get(name)
    if (!entry) return null
    const content = await read(zip, entry, room)
    room -= content.length
    return content
  }
  return {
    names: [...entries.keys()],
    bytes,
    text: async (name) => {
      const content = await bytes(name)
      return content && new TextDecoder().decode(content)
    },
  }
}
