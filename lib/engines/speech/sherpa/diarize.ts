import type { Logger } from "../../../platform/logger.ts"
import { decodePcm, SAMPLE_RATE } from "../audio/decode.ts"
import { mergeSpeakersAcrossParts, type PartSpeaker } from "../transcript/merge-speakers.ts"
import type { SpeakerTurn } from "../types.ts"
import { divideIntoParts, splitIntoParts } from "./parts.ts"
import { startSpeechProcess } from "./process.ts"
import type { LoadDiarizer } from "./protocol.ts"

/** The maximum length of a part. sherpa needs the samples of a part in memory, 4 bytes each. */
const MAX_PART_S = 10 * 60

/**
 * Diarizes a recording in a separate child process, so that a crash costs neither the loaded model nor the words. Decodes
 * the recording again, one part after the other.
 */
export const diarize = async (
  request: {
    readonly path: string
    /** The length of the recording in samples. Rounded seconds would miss its end. */
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
    // Equal lengths, because a speaker cannot be recognized in a short part.
    const layout = divideIntoParts(samples, MAX_PART_S * SAMPLE_RATE)
    const { parts, length } = layout
    const max = length + SAMPLE_RATE
    await child.call("loadDiarizer", { ...models, speakers: parts === 1 ? (speakers ?? null) : null }, { signal })
    const partSpeakers: PartSpeaker[] = []
    let part = 0
    const reportShare = (share: number): void =>
      progress(Math.min((duration_s * (part + share)) / parts, duration_s), duration_s)
    const diarizePart = async (): Promise<void> => {
      const from = (part * length) / SAMPLE_RATE
      const found = await child.call("diarize", null, { signal, progress: (done, total) => reportShare(done / total) })
      for (const { turns, embedding } of found)
        partSpeakers.push({ part, embedding, turns: turns.map((t) => ({ start: t.start + from, end: t.end + from })) })
    }
    reportShare(0)
    for await (const block of splitIntoParts(decodePcm({ path, declared_s: null, signal }), layout)) {
      if (block.part !== part) await diarizePart()
      part = block.part
      await child.call("collect", { pcm: block.pcm, max }, { signal })
    }
    await diarizePart()
    progress(duration_s, duration_s)
    return mergeSpeakersAcrossParts(partSpeakers, speakers)
  } finally {
    child.kill()
  }
}
