/**
 * Divides a recording into parts of nearly equal length, each at most `maxLength` samples. The last part takes the rest.
 */
export const divideIntoParts = (
  samples: number,
  maxLength: number,
): { readonly parts: number; readonly length: number } => {
  const parts = Math.max(1, Math.ceil(samples / maxLength))
  return { parts, length: Math.max(1, Math.ceil(samples / parts)) }
}

/**
 * Splits a stream of samples into parts. Each block belongs to one part. Samples beyond the expected length belong to the
 * last part.
 */
export async function* splitIntoParts(
  blocks: AsyncIterable<Int16Array>,
  { parts, length }: ReturnType<typeof divideIntoParts>,
): AsyncGenerator<{ readonly part: number; readonly pcm: Int16Array }> {
  let done = 0
  for await (const block of blocks) {
    for (let at = 0; at < block.length; ) {
      const part = Math.min(Math.floor(done / length), parts - 1)
      const count = part === parts - 1 ? block.length : (part + 1) * length - done
      const pcm = block.subarray(at, at + count)
      yield { part, pcm }
      at += pcm.length
      done += pcm.length
    }
  }
}
