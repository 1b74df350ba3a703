import { createHash, randomBytes } from "node:crypto"

const URL_NAMESPACE = Buffer.from("6ba7b8119dad11d180b400c04fd430c8", "hex")

/** Returns the UUID version 5 (RFC 9562) of a name in the URL namespace. */
export const uuid5 = (name: string): string => {
  const h = createHash("sha1").update(URL_NAMESPACE).update(name).digest().subarray(0, 16)
  h[6] = (h[6]! & 0x0f) | 0x50
  h[8] = (h[8]! & 0x3f) | 0x80
  return h.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** Returns a new UUID version 7 (RFC 9562), which sorts by creation time. */
export const newId = (): string => {
  const b = randomBytes(16)
  b.writeUIntBE(Date.now(), 0, 6)
  b[6] = (b[6]! & 0x0f) | 0x70
  b[8] = (b[8]! & 0x3f) | 0x80
  return b.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** Returns the SHA-256 of text or bytes in hex. */
export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex")
