import { cuesOf } from "./cues.ts"
import { type Exported, oneLine, speakerNames, subtitleTime } from "./text.ts"

const ENTITY: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/** An escaped `>` also keeps `-->` out of cue text, where the format forbids it. */
const escapeText = (text: string): string => text.replace(/[&<>]/g, (sign) => ENTITY[sign]!)

/** WebVTT (W3C): every cue under its speaker in a voice tag. */
export const toVtt = (clip: Exported): string => {
  const nameOf = speakerNames(clip)
  const cues = cuesOf(clip.transcription).map(({ start_s, end_s, speaker, lines }) => {
    const times = `${subtitleTime(start_s, ".")} --> ${subtitleTime(end_s, ".")}`
    const name = nameOf(speaker)
    const text = lines.map(escapeText).join("\n")
    return `${times}\n${name === null ? text : `<v ${escapeText(name)}>${text}</v>`}\n`
  })
  return ["WEBVTT\n", `NOTE\n${escapeText(oneLine(clip.title))}\n`, ...cues].join("\n")
}
