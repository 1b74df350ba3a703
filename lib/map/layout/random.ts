/** Uniform numbers in [0, 1), the same for the same seed: xorshift32 (Marsaglia 2003), seeded through a mixing step. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seedState(seed)
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4294967296
  }
}

/** A state of xorshift32, never zero; near seeds give far states (the finaliser of MurmurHash3, Appleby 2011). */
export const seedState = (seed: number): number => {
  let h = (seed | 0) + 0x9e3779b9
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) | 0 || 1
}
