import type { Clip } from "../../domain/clips.ts"

/** How many voices a sentence names. */
const NAMED = 20

/** The ids of those who speak in a recording; none before somebody listened. */
export const voicesIn = ({ transcription }: Pick<Clip, "transcription">): ReadonlySet<string> =>
  new Set(transcription.map((word) => word.speaker))

/** That somebody does not speak in a recording, and who does. */
export const unknownSpeakerMessage = (stranger: string, voices: ReadonlySet<string>): string => {
  const names = [...voices].sort().map((id) => `'${id}'`)
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ""
  const who = names.length === 1 ? "its only voice is" : "its voices are"
  return `nobody in this recording is '${stranger}'; ${who} ${names.slice(0, NAMED).join(", ")}${more}`
}
