import { cuesOf } from "./cues.ts"
import { type Exported, speakerNames, subtitleTime } from "./text.ts"

/** SubRip has no escapes, and players read HTML tags and {\…} codes in it: their signs are printed by look-alikes. */
const LOOKALIKE: Readonly<Record<string, string>> = { "<": "‹", ">": "›", "{": "(", "}": ")" }

const printable = (line: string): string => line.replace(/[<>{}]/g, (sign) => LOOKALIKE[sign]!)

/** SubRip: numbered cues, the speaker's name before the first words of a turn. */
export const toSrt = (clip: Exported): string => {
  const nameOf = speakerNames(clip)
  const label = (speaker: string) => {
    const name = nameOf(speaker)
    return name === null ? "" : `${name}: `
  }
  return cuesOf(clip.transcription, label)
    .map(({ start_s, end_s, lines }, i) => {
      const times = `${subtitleTime(start_s, ",")} --> ${subtitleTime(end_s, ",")}`
      return `${i + 1}\n${times}\n${lines.map(printable).join("\n")}\n`
    })
    .join("\n")
}
