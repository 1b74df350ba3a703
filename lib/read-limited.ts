/** Reads a body as UTF-8 text, counting as it comes. @throws Error when it has more than `most` bytes */
export const readLimited = async (body: AsyncIterable<Uint8Array>, most: number): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > most) throw new Error(`the answer has more than ${Math.max(1, Math.floor(most / 2 ** 20))} MB`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
