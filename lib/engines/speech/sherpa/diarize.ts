import type { Logger } from "../../../platform/logger.ts"
import { decodePcm, SAMPLE_RATE } from "../audio/decode.ts"
import { type LocalSpeaker, mergeSpeakersAcrossParts } from "../transcript/merge-speakers.ts"
import type { SpeakerTurn } from "../types.ts"
import { inParts, partsOf } from "./parts.ts"
import { startSpeechProcess } from "./process.ts"
import type { LoadDiarizer } from "./protocol.ts"

/** A recording is diarized in parts of so many seconds: sherpa wants a part as a whole, 4 bytes a sample. */
const PART_S = 10 * 60

/**
 * Tells the voices of a recording apart, in a process of its own that ends afterwards: what goes wrong there costs no
 * model and no word. The recording is decoded anew, part by part.
 */
export const diarize = async (
  request: {
    readonly path: string
    /** Of the whole recording at 16 kHz: seconds, rounded, would fall short of its end. */
    readonly samples: number
    readonly speakers: number | undefined
    readonly signal: AbortSignal
    readonly progress: (done: number, total: number) => void
  },
  models: LoadDiarizer,
  { log, silenceMs }: { readonly log: Logger; readonly silenceMs: number },
): Promise<SpeakerTurn[]> => {
  const { path, samples, speakers, signal, progress } = request
  const duration_s = samples / SAMPLE_RATE
  const child = startSpeechProcess(log, silenceMs)
  try {
    // Parts of equal length, so that none is too short to know a voice by.
    const borders = partsOf(samples, PART_S * SAMPLE_RATE)
    const { parts, length } = borders
    const max = length + SAMPLE_RATE
    await child.call("loadDiarizer", { ...models, speakers: parts === 1 ? (speakers ?? null) : null }, { signal })
    const voices: LocalSpeaker[] = []
    let part = 0
    const tell = (share: number): void =>
      progress(Math.min((duration_s * (part + share)) / parts, duration_s), duration_s)
    const diarize = async (): Promise<void> => {
      const from = (part * length) / SAMPLE_RATE
      const found = await child.call("diarize", null, { signal, progress: (done, total) => tell(done / total) })
      for (const { turns, print } of found)
        voices.push({ part, print, turns: turns.map((t) => ({ start: t.start + from, end: t.end + from })) })
    }
    tell(0)
    for await (const piece of inParts(decodePcm({ path, declared_s: null, signal }), borders)) {
      if (piece.part !== part) await diarize()
      part = piece.part
      await child.call("collect", { pcm: piece.pcm, max }, { signal })
    }
    await diarize()
    progress(duration_s, duration_s)
    return mergeSpeakersAcrossParts(voices, speakers)
  } finally {
    child.kill()
  }
}
