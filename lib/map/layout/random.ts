/** Returns a generator of uniform numbers in [0, 1): xorshift32 (Marsaglia 2003). Equal seeds give equal sequences. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seedState(seed)
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4294967296
  }
}

/** Returns an xorshift32 state, never zero. The finalizer of MurmurHash3 makes the states of similar seeds dissimilar. */
export const seedState = (seed: number): number => {
  let h = (seed | 0) + 0x9e3779b9
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) | 0 || 1
}
