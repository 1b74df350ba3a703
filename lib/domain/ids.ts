import { createHash, randomBytes } from "node:crypto"

const URL_NAMESPACE = Buffer.from("6ba7b8119dad11d180b400c04fd430c8", "hex")

/** UUID version 5 (RFC 9562) of a name in the URL namespace. */
export const uuid5 = (name: string): string => {
  const h = createHash("sha1").update(URL_NAMESPACE).update(name).digest().subarray(0, 16)
  h[6] = (h[6]! & 0x0f) | 0x50
  h[8] = (h[8]! & 0x3f) | 0x80
  return h.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** An id that sorts by time of creation: UUID version 7 (RFC 9562). */
export const newId = (): string => {
  const b = randomBytes(16)
  b.writeUIntBE(Date.now(), 0, 6)
  b[6] = (b[6]! & 0x0f) | 0x70
  b[8] = (b[8]! & 0x3f) | 0x80
  return b.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** Hex sha256 of a text: the key under which a vector is kept. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The text that stands for a topic in the embedding space. */
export const embeddedText = (topic: { title: string; summary: string }): string =>
  topic.summary ? `${topic.title}. ${topic.summary}` : topic.title

/** Hex sha256 of bytes. */
export const bytesHash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")
