import { setImmediate as immediate } from "node:timers/promises"
import { createContentBuilder } from "../../documents/content/content-builder.ts"
import { type ContentFile, createContentCollector } from "../../documents/content/content-collector.ts"
import { placeChunks } from "../../documents/content/place-chunks.ts"
import { divideContent } from "../../documents/content/portions.ts"
import type { StoredChunk } from "../../storage/stores/ports/documents.ts"

/** Upper limit of the overlap of two neighboring chunks, in characters. */
const MAX_OVERLAP = 1200

/** Characters between sentences. Scripts without spaces have only the punctuation. */
const SENTENCE_BOUNDARY = /[\s。！？…]/

/** Returns how many characters at the start of a chunk, in complete sentences, repeat the end of the previous chunk. */
export const getOverlapLength = (previous: string, chunk: string): number => {
  for (let k = Math.min(MAX_OVERLAP, previous.length, chunk.length); k > 0; k--) {
    if (!previous.endsWith(chunk.slice(0, k))) continue
    const ends = k === chunk.length || SENTENCE_BOUNDARY.test(chunk[k - 1]!) || SENTENCE_BOUNDARY.test(chunk[k]!)
    if (ends && (k === previous.length || SENTENCE_BOUNDARY.test(previous.at(-k - 1)!))) return k
  }
  return 0
}

/** Chunks that follow each other under one heading of one page. */
type Passage = { readonly heading: string | undefined; readonly page: number | undefined; text: string }

const CHUNKS_AT_ONCE = 200
/** Returns what is between two chunks: they were divided at the end of a sentence, or of a line. */
const separatorAfter = (text: string): string => (/[.!?…]["')\]]?$/.test(text) ? " " : "\n")

/** Joins chunks without what they repeat. Other requests are handled in between. */
const joinChunks = async (chunks: readonly StoredChunk[]): Promise<Passage[]> => {
  const passages: Passage[] = []
  for (const [i, { text, metadata }] of chunks.entries()) {
    if (i > 0 && i % CHUNKS_AT_ONCE === 0) await immediate()
    const { heading, page } = metadata
    const last = passages.at(-1)
    if (!last || last.heading !== heading || last.page !== page) {
      passages.push({ heading, page, text })
      continue
    }
    const overlap = getOverlapLength(chunks[i - 1]!.text, text)
    const own = text.slice(overlap).trimStart()
    if (own !== "") last.text += `${separatorAfter(last.text)}${own}`
  }
  return passages
}

/** Puts the content of a document together from its chunks, for a file that no longer exists or cannot be laid out. */
export const createIndexContent = async (chunks: readonly StoredChunk[], folder: string): Promise<ContentFile> => {
  const content = createContentBuilder()
  let shown: string | undefined
  for (const { heading, page, text } of await joinChunks(chunks)) {
    if (page !== undefined) content.setPage(page)
    if (heading !== undefined && heading !== shown) {
      const path = heading.split(" › ")
      content.add({ type: "heading", level: path.length, runs: [{ text: path.at(-1)! }] }, "")
    }
    shown = heading
    for (const paragraph of text.split(/\n[ \t]*\n/))
      if (paragraph.trim()) content.add({ type: "paragraph", runs: [{ text: paragraph }] })
  }
  await immediate()
  const texts = chunks.map(({ text }) => text)
  const blocks = content.build()
  const { portions, outline } = divideContent(blocks, placeChunks(blocks, texts, MAX_OVERLAP))
  const collector = createContentCollector(folder)
  for (const { entry: _, ...portion } of portions)
    collector.add({ record: Buffer.from(JSON.stringify(portion)), count: 1 })
  const summary = { portions: portions.map(({ entry }) => entry), outline, chunks: chunks.length }
  return collector.finish({ record: Buffer.from(JSON.stringify(summary)), count: 0 })
}
