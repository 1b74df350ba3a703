import type { WordEdits, WordEditsRequest } from "../../api/transcripts.ts"
import type { Clip } from "../../domain/clips.ts"
import { AppError } from "../../domain/errors.ts"
import type { WordEdit } from "../../domain/transcript/word-edits.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"
import { unknownSpeakerMessage, voicesIn } from "./clip-speakers.ts"
import { type ClipRef, getClip, unknownClip } from "./get-clip.ts"

/** What people corrected in a clip's transcript, in order. @throws AppError `not_found` */
export const listWordEdits = async (deps: Deps, { id }: ClipRef): Promise<WordEdits> => {
  const edits = await requireStore(deps).clips.listWordEdits(id)
  if (edits === null) throw unknownClip(id)
  return { edits }
}

/** A correction is of what was said: it begins inside the recording, and the voice that becomes another one is heard there. */
const refuseOutside = (clip: Clip, edits: readonly WordEdit[]): void => {
  const length = clip.transcription.reduce((end, word) => Math.max(end, word.end), clip.duration_s)
  const voices = new Set(voicesIn(clip))
  edits.forEach((edit, i) => {
    if (edit.kind !== "merge" && edit.start_s > length) {
      const ends = `the recording ends at ${Math.round(length * 100) / 100} seconds`
      throw new AppError("invalid", `edits[${i}].start_s: ${ends}, and there is nothing to correct behind that`)
    }
    if (edit.kind === "merge" && !voices.has(edit.from))
      throw new AppError("invalid", `edits[${i}].from: ${unknownSpeakerMessage(edit.from, voices)}`)
    if (edit.kind === "speaker") voices.add(edit.speaker)
    if (edit.kind === "merge") voices.add(edit.into)
  })
}

/**
 * Corrects words and who said them; exports, search and later runs get what was corrected.
 * @throws AppError `not_found`, or `invalid` for what lies outside the recording
 */
export const editWords = async (deps: Deps, { id }: ClipRef, { edits }: WordEditsRequest): Promise<WordEdits> => {
  const clip = await getClip(deps, { id })
  if (clip.transcription.length > 0) refuseOutside(clip, edits)
  const stored = await requireStore(deps).clips.editWords(id, edits)
  if (stored === null) throw unknownClip(id)
  return { edits: stored }
}

/** Takes one correction back: what stands there is again what was heard, with the others applied. @throws AppError `not_found` */
export const dropWordEdit = async (deps: Deps, { id, edit_id }: { id: string; edit_id: number }): Promise<void> => {
  if (!(await requireStore(deps).clips.removeWordEdit(id, edit_id)))
    throw new AppError("not_found", `clip '${id}' has no correction ${edit_id}`)
}
