import { formatCount } from "../../ui/format.ts"
import type { ClipRow } from "./library-params.ts"

type SpeakerFacts = Pick<ClipRow, "diarized" | "voices">

/** Returns true if the number of speakers is known, from diarization, the submitted transcript or a person's edits. */
export const hasKnownSpeakers = ({ diarized, voices }: SpeakerFacts): boolean => diarized !== false || voices > 1

/** Returns the names of the speakers if they have names, otherwise their number if it is known. */
export const summarizeSpeakers = (clip: SpeakerFacts & Pick<ClipRow, "speakers">): string => {
  const { speakers, voices } = clip
  const names = Object.values(speakers)
  if (names.length === 0) return voices > 0 && hasKnownSpeakers(clip) ? formatCount(voices, "speaker") : ""
  const more = voices - names.length
  return `${names.slice(0, 3).join(", ")}${names.length > 3 || more > 0 ? ` and ${Math.max(more, 0) + Math.max(0, names.length - 3)} more` : ""}`
}
