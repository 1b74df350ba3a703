/**
 * Returns a hash of 32 bits, unsigned: FNV-1a over the UTF-16 code units, then the final avalanche of murmur3, so that the low
 * bits are as good as the high ones.
 */
export const hashText = (text: string): number => {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
