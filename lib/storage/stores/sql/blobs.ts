/** float32 as they lie in memory: little endian on every machine that this runs on. */
export const toBlob = (v: Float32Array): Buffer => Buffer.from(v.buffer, v.byteOffset, v.byteLength)

/** A copy: a driver's buffer need not lie on a border of four bytes. */
export const toFloats = (b: Buffer): Float32Array =>
  new Float32Array(b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength) as ArrayBuffer)
