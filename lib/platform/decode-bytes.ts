/**
 * Decodes bytes in an encoding of the WHATWG standard. Decodes them as a stream, because Node 20 otherwise takes Windows-1252
 * for Latin-1 and loses its quotation marks, dashes and the euro sign.
 * @throws RangeError for an unknown encoding
 */
export const decodeBytes = (bytes: Uint8Array, encoding: string): string => {
  const decoder = new TextDecoder(encoding)
  return decoder.decode(bytes, { stream: true }) + decoder.decode()
}
