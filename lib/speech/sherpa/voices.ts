import type { Logger } from "../../logger.ts"
import { decodePcm, SAMPLE_RATE } from "../decode.ts"
import type { SpeakerTurn } from "../types.ts"
import { joinVoices, type LocalVoice } from "../voices.ts"
import { startSpeechProcess } from "./process.ts"
import type { LoadDiarizer } from "./protocol.ts"

/** A recording is diarized in parts of so many seconds: sherpa wants a part as a whole, 4 bytes a sample. */
const PART_S = 10 * 60

/**
 * Tells the voices of a recording apart, in a process of its own that ends afterwards: what goes wrong there costs no
 * model and no word. The recording is decoded anew, part by part.
 */
export const hearVoices = async (
  request: {
    readonly path: string
    readonly duration_s: number
    readonly speakers: number | undefined
    readonly signal: AbortSignal
    readonly progress: (done: number, total: number) => void
  },
  models: LoadDiarizer,
  log: Logger,
): Promise<SpeakerTurn[]> => {
  const { path, duration_s, speakers, signal, progress } = request
  const child = startSpeechProcess(log)
  try {
    // Parts of equal length, so that none is too short to know a voice by.
    const parts = Math.max(1, Math.ceil(duration_s / PART_S))
    const max = Math.ceil((duration_s * SAMPLE_RATE) / parts) + SAMPLE_RATE
    const length = max - SAMPLE_RATE
    await child.call("loadDiarizer", { ...models, speakers: parts === 1 ? (speakers ?? null) : null }, { signal })
    const voices: LocalVoice[] = []
    let part = 0
    let filled = 0
    const tell = (share: number): void =>
      progress(Math.min((duration_s * (part + share)) / parts, duration_s), duration_s)
    const diarize = async (): Promise<void> => {
      const from = (part * length) / SAMPLE_RATE
      const found = await child.call("diarize", null, { signal, progress: (done, total) => tell(done / total) })
      for (const { turns, print } of found)
        voices.push({ part, print, turns: turns.map((t) => ({ start: t.start + from, end: t.end + from })) })
      part++
      filled = 0
    }
    tell(0)
    for await (const block of decodePcm({ path, declared_s: null, signal })) {
      for (let at = 0; at < block.length; ) {
        const piece = block.subarray(at, Math.min(block.length, at + length - filled))
        await child.call("collect", { pcm: piece, max }, { signal })
        at += piece.length
        filled += piece.length
        if (filled === length && part < parts - 1) await diarize()
      }
    }
    if (filled > 0) await diarize()
    progress(duration_s, duration_s)
    return joinVoices(voices, speakers)
  } finally {
    child.kill()
  }
}
