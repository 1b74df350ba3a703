/** A body has more bytes than whoever reads it takes. */
export class TooLongBody extends Error {}

/** Reads a body as UTF-8 text, counting as it comes. @throws TooLongBody when it has more than `most` bytes */
export const readLimited = async (body: AsyncIterable<Uint8Array>, most: number): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > most) throw new TooLongBody(`the answer has more than ${Math.max(1, Math.floor(most / 2 ** 20))} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}
