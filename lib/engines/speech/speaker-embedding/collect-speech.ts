import { decodePcm, SAMPLE_RATE } from "../audio/decode.ts"
import type { VoiceTurn } from "./choose-turns.ts"

/**
 * Decodes a recording up to the last turn and returns the samples of each speaker, joined in order of time.
 * @throws AppError as `decodePcm`
 */
export const collectSpeech = async (
  path: string,
  turns: ReadonlyMap<string, readonly VoiceTurn[]>,
  signal: AbortSignal,
): Promise<Map<string, Int16Array>> => {
  const wanted = [...turns].flatMap(([speaker, list]) =>
    list.map(({ start, end }) => ({
      speaker,
      from: Math.round(start * SAMPLE_RATE),
      to: Math.round(end * SAMPLE_RATE),
    })),
  )
  const last = wanted.reduce((end, { to }) => Math.max(end, to), 0)
  const parts = new Map<string, Int16Array[]>([...turns.keys()].map((speaker) => [speaker, []]))
  let at = 0
  for await (const block of decodePcm({ path, declared_s: null, signal })) {
    for (const { speaker, from, to } of wanted)
      if (from < at + block.length && to > at)
        parts.get(speaker)!.push(block.slice(Math.max(0, from - at), Math.min(block.length, to - at)))
    at += block.length
    if (at >= last) break
  }
  return new Map([...parts].map(([speaker, blocks]) => [speaker, joinBlocks(blocks)]))
}

const joinBlocks = (blocks: readonly Int16Array[]): Int16Array => {
  const joined = new Int16Array(blocks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const block of blocks) {
    joined.set(block, at)
    at += block.length
  }
  return joined
}
