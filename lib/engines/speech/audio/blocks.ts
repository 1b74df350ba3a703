/** Joins samples to blocks of one length (the last may be shorter), so that few messages carry them. */
export async function* inBlocks(source: AsyncIterable<Int16Array>, length: number): AsyncGenerator<Int16Array> {
  let block = new Int16Array(length)
  let filled = 0
  for await (const samples of source) {
    for (let at = 0; at < samples.length; ) {
      const piece = samples.subarray(at, at + length - filled)
      block.set(piece, filled)
      filled += piece.length
      at += piece.length
      if (filled < length) continue
      yield block
      block = new Int16Array(length)
      filled = 0
    }
  }
  if (filled > 0) yield block.slice(0, filled)
}
