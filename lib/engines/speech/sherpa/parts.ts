/** Samples of each part of a recording but the last, which takes the rest: parts of nearly equal length, `most` at most. */
export const partsOf = (samples: number, most: number): { readonly parts: number; readonly length: number } => {
  const parts = Math.max(1, Math.ceil(samples / most))
  return { parts, length: Math.max(1, Math.ceil(samples / parts)) }
}

/**
 * Cuts a stream of samples at the borders of parts. Every piece holds samples of one part; what comes beyond the last
 * border belongs to the last part, so that a recording which turns out longer than it was ends all the same.
 */
export async function* inParts(
  blocks: AsyncIterable<Int16Array>,
  { parts, length }: ReturnType<typeof partsOf>,
): AsyncGenerator<{ readonly part: number; readonly pcm: Int16Array }> {
  let done = 0
  for await (const block of blocks) {
    for (let at = 0; at < block.length; ) {
      const part = Math.min(Math.floor(done / length), parts - 1)
      const room = part === parts - 1 ? block.length : (part + 1) * length - done
      const pcm = block.subarray(at, at + room)
      yield { part, pcm }
      at += pcm.length
      done += pcm.length
    }
  }
}
