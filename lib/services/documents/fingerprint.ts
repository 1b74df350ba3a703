/** Part of the fingerprint. Increment it when loaders or the splitter change, so that files are read again. */
const EXTRACTION_VERSION = 1

type SplitSettings = { readonly chunkSize: number; readonly chunkOverlap: number }

/** Returns the fingerprint of a file: its content, and everything that determines how it is split and embedded. */
export const createFingerprint = (
  contentHash: string,
  embedder: string,
  { chunkSize, chunkOverlap }: SplitSettings,
): string => [contentHash, embedder, chunkSize, chunkOverlap, EXTRACTION_VERSION].join(" ")

/** Returns what a fingerprint says about the file and how it was split. */
export const readFingerprint = (
  fingerprint: string,
): { readonly contentHash: string; readonly split: SplitSettings } => {
  const parts = fingerprint.split(" ")
  const [chunkSize, chunkOverlap] = parts.slice(-3).map(Number)
  return { contentHash: parts[0]!, split: { chunkSize: chunkSize!, chunkOverlap: chunkOverlap! } }
}

/** Returns the fingerprint of the same file, split alike, whose chunks have vectors of another embedder. */
export const withEmbedder = (fingerprint: string, embedder: string): string => {
  const parts = fingerprint.split(" ")
  return [parts[0], embedder, ...parts.slice(-3)].join(" ")
}
