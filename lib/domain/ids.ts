import { createHash, randomBytes } from "node:crypto"

const URL_NAMESPACE = Buffer.from("6ba7b8119dad11d180b400c04fd430c8", "hex")

/** Returns the UUID version 5 (RFC 9562) of a name in the URL namespace. */
export const uuid5 = (name: string): string => {
  const h = createHash("sha1").update(URL_NAMESPACE).update(name).digest().subarray(0, 16)
  h[6] = (h[6]! & 0x0f) | 0x50
  h[8] = (h[8]! & 0x3f) | 0x80
  return h.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

let lastTime = 0
let counter = 0

/**
 * Returns a new UUID version 7 (RFC 9562), which sorts by creation time. Those of one process sort in the order in
 * which they were made: a counter of 12 bits tells those of one millisecond apart (RFC 9562, section 6.2, method 1).
 */
export const newId = (): string => {
  const now = Date.now()
  counter = now > lastTime ? 0 : counter + 1
  lastTime = Math.max(now, lastTime + (counter >> 12))
  counter &= 0xfff
  const b = randomBytes(16)
  b.writeUIntBE(lastTime, 0, 6)
  b.writeUInt16BE(0x7000 | counter, 6)
  b[8] = (b[8]! & 0x3f) | 0x80
  return b.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** Returns the SHA-256 of text or bytes in hex. */
export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex")
