import { type Entry, fromBuffer, type ZipFile } from "yauzl"
import { AppError } from "../../domain/errors.ts"
import { readXml, type XmlHandler } from "../../platform/xml.ts"
import { LIMITS } from "../limits.ts"

/** Unpacked bytes are counted, because headers may be wrong. */
const { archiveEntries: MAX_ENTRIES, archiveBytes: MAX_BYTES, archiveRatio: MAX_RATIO } = LIMITS
const MIN_RATIO_BYTES = 2 ** 20

const archiveError = (problem: string): AppError => new AppError("invalid", `its archive ${problem}`)

const openZip = (bytes: Uint8Array): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { lazyEntries: true }, (error, zip) =>
      error ? reject(archiveError(`is damaged (${error.message})`)) : resolve(zip),
    )
  })

const readEntries = (zip: ZipFile): Promise<Map<string, Entry>> =>
  new Promise((resolve, reject) => {
    if (zip.entryCount > MAX_ENTRIES) reject(archiveError(`has more than ${MAX_ENTRIES} entries`))
    const entries = new Map<string, Entry>()
    let declaredBytes = 0
    zip.on("error", (error: Error) => reject(archiveError(`is damaged (${error.message})`)))
    zip.on("entry", (entry: Entry) => {
      declaredBytes += entry.uncompressedSize
      const { uncompressedSize: size, compressedSize } = entry
      if (entries.size >= MAX_ENTRIES) return reject(archiveError(`has more than ${MAX_ENTRIES} entries`))
      if (declaredBytes > MAX_BYTES) return reject(archiveError(`unpacks to more than ${MAX_BYTES / 2 ** 20} MB`))
      if (size > MIN_RATIO_BYTES && size > MAX_RATIO * compressedSize)
        return reject(archiveError(`is compressed more than ${MAX_RATIO} to 1`))
      entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.on("end", () => resolve(entries))
    zip.readEntry()
  })

const readEntry = (zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(archiveError(`is damaged (${error.message})`))
    zip.openReadStream(entry, (error, stream) => {
      if (error) return fail(error)
      const chunks: Buffer[] = []
      let size = 0
      stream.on("error", fail)
      stream.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes) {
          stream.destroy()
          return reject(archiveError(`unpacks to more than ${MAX_BYTES / 2 ** 20} MB`))
        }
        chunks.push(chunk)
      })
      stream.on("end", () => resolve(Buffer.concat(chunks)))
    })
  })

export type Archive = {
  readonly names: readonly string[]
  /** Returns a part as text, or null if the archive does not contain it. */
  text(name: string): Promise<string | null>
  bytes(name: string): Promise<Uint8Array | null>
}

/**
 * Opens a ZIP archive in memory. Nothing is written to disk, so names with `..` have no effect. Nested archives stay closed.
 * @throws AppError `invalid` if it is damaged, has too many entries or unpacks to too many bytes
 */
export const openArchive = async (data: Uint8Array): Promise<Archive> => {
  const zip = await openZip(data)
  const entries = await readEntries(zip)
  let remainingBytes = MAX_BYTES
  const bytes = async (name: string): Promise<Uint8Array | null> => {
    const entry = entries.get(name)
    if (!entry) return null
    const content = await readEntry(zip, entry, remainingBytes)
    remainingBytes -= content.length
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

const removePrefix = (name: string): string => name.slice(name.indexOf(":") + 1)

/**
 * Parses the XML of a part. Removes the prefix of element names, because Office files choose it freely. Attribute names keep
 * their prefix.
 * @throws as `readXml`
 */
export const readXmlPart = (xml: string, { open, text, close }: XmlHandler): void =>
  readXml(xml, {
    open: (name, attributes) => open?.(removePrefix(name), attributes),
    text: (content) => text?.(content),
    close: (name) => close?.(removePrefix(name)),
  })

/** Reads the relationships of an Office part as a map from relationship ID to the name of the target part. */
export const readRelationships = (xml: string | null, folder: string): Map<string, string> => {
  const targets = new Map<string, string>()
  if (xml)
    readXmlPart(xml, {
      open: (name, { Id, Target, TargetMode }) => {
        if (name !== "Relationship" || !Id || !Target || TargetMode === "External") return
        targets.set(Id, resolveTarget(folder, Target))
      },
    })
  return targets
}

/** Resolves a reference between parts to the name of the target in the archive. */
export const resolveTarget = (folder: string, target: string): string => {
  const segments: string[] = []
  for (const segment of (target.startsWith("/") ? target : `${folder}/${target}`).split("/")) {
    if (segment === "..") segments.pop()
    else if (segment !== "" && segment !== ".") segments.push(segment)
  }
  return segments.join("/")
}

/** Reads the title in the properties of an Office file or in the metadata of an EPUB. */
export const readTitle = (core: string | null): string | undefined => {
  let title = ""
  let inTitle = false
  if (core)
    readXmlPart(core, {
      open: (name) => {
        inTitle = name === "title"
      },
      text: (text) => {
        if (inTitle) title += text
      },
      close: () => {
        inTitle = false
      },
    })
  return title.trim() || undefined
}
