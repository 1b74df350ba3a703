import * as z from "zod"
import { listSpeakerTurns } from "../../domain/export/speaker-turns.ts"
import { formatClock } from "../../domain/text/format-clock.ts"
import { formatTime } from "../times.ts"
import { defineTool, READ_ONLY } from "../tool.ts"
import { clipId } from "./clip-id.ts"

const output = z.object({
  clip_id: z.string(),
  title: z.string(),
  duration_s: z.number(),
  turns: z.array(
    z.object({ start_s: z.number(), end_s: z.number(), speaker: z.string().nullable(), text: z.string() }),
  ),
  next_start_s: z.number().optional().describe("If the text was cut: call again with this start_s for the rest"),
})
type Transcript = z.infer<typeof output>
type Turn = Transcript["turns"][number]

const formatTurn = ({ start_s, speaker, text }: Turn): string =>
  `[${formatClock(start_s)}] ${speaker === null ? "" : `${speaker}: `}${text}`

/** Returns the number of turns whose text fits into `maxChars`, but at least one. */
const countFitting = (turns: readonly Turn[], maxChars: number): number => {
  let chars = 0
  const first = turns.findIndex((turn) => {
    chars += formatTurn(turn).length + 1
    return chars > maxChars
  })
  return first === -1 ? turns.length : Math.max(1, first)
}

export const getTranscript = defineTool({
  name: "get_transcript",
  title: "Transcript of a recording",
  description:
    "Returns what is said in a recording, or in a part of it, with times and speakers. Long text is cut, with the time at which to continue.",
  input: z.object({
    clip_id: clipId,
    start_s: z.number().min(0).default(0).describe("Start of the part in seconds"),
    end_s: z.number().min(0).optional().describe("End of the part in seconds; default: the end of the recording"),
    max_chars: z.int().min(500).max(200_000).default(20_000).describe("Maximum length of the text"),
  }),
  output,
  annotations: READ_ONLY,
  run: async (api, { clip_id, start_s, end_s = Number.POSITIVE_INFINITY, max_chars }, signal) => {
    const clip = await api.clip(clip_id, { signal })
    const words = clip.transcription.filter((word) => word.start >= start_s && word.start < end_s)
    const all = listSpeakerTurns(clip, words).map(
      ({ name, start_s, end_s, text }): Turn => ({ start_s, end_s, speaker: name, text }),
    )
    const turns = all.slice(0, countFitting(all, max_chars))
    const next_start_s = all[turns.length]?.start_s
    const data = {
      clip_id,
      title: clip.title,
      duration_s: clip.duration_s,
      turns,
      ...(next_start_s !== undefined && { next_start_s }),
    }
    const head = `${clip.title}, ${formatTime(clip.duration_s)}`
    if (turns.length === 0) return { text: `${head}\nNothing is said in this part of the recording.`, data }
    const note =
      next_start_s === undefined
        ? []
        : [
            `The text is cut at ${formatTime(next_start_s)}. Call get_transcript with start_s ${next_start_s} for the rest.`,
          ]
    return { text: [head, ...turns.map(formatTurn), ...note].join("\n"), data }
  },
})
