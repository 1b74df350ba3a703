import { clockTime, type Exported, oneLine } from "./text.ts"
import { turnsOf } from "./turns.ts"

/** Plain text: the title, then a paragraph a turn with its time and speaker. */
export const toTxt = (clip: Exported): string => {
  const turns = turnsOf(clip).map(
    ({ start_s, name, text }) => `[${clockTime(start_s)}] ${name === null ? "" : `${name}: `}${text}\n`,
  )
  return [`${oneLine(clip.title)}\n`, ...turns].join("\n")
}
