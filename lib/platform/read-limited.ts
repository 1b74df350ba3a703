/** Thrown for a body that is larger than the reader's limit. */
export class BodyTooLargeError extends Error {}

/** Reads a body as UTF-8 text. @throws BodyTooLargeError if it is larger than `maxBytes` */
export const readLimited = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes)
      throw new BodyTooLargeError(`the response is larger than ${Math.max(1, Math.floor(maxBytes / 2 ** 20))} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}
