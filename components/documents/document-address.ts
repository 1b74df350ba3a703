/** Returns the number of a chunk in its document, which its ID ends with. */
const numberOfChunk = (chunkId: string): string => chunkId.slice(chunkId.lastIndexOf(":") + 1)

export const getDocumentHref = (id: string): string => `/documents/${encodeURIComponent(id)}`

/** Returns the address of a document at one of its chunks. */
export const getPassageHref = (id: string, chunkId?: string): string =>
  chunkId === undefined ? getDocumentHref(id) : `${getDocumentHref(id)}#passage-${numberOfChunk(chunkId)}`

/** Returns the number of the chunk that an address names, or null. */
export const readPassage = (hash: string): number | null => {
  const number = /^#passage-(\d{1,7})$/.exec(hash)?.[1]
  return number === undefined ? null : Number(number)
}
