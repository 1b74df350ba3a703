import type { WordEdits, WordEditsRequest } from "../../api/transcripts.ts"
import type { IfMatch } from "../../domain/clip-version.ts"
import type { Clip } from "../../domain/clips.ts"
import { AppError } from "../../domain/errors.ts"
import type { WordEdit } from "../../domain/transcript/word-edits.ts"
import { type Deps, requireStore } from "../deps.ts"
import { type ClipRef, collectSpeakerIds, getClip, unknownClip, unknownSpeakerMessage } from "./clips.ts"

/** Returns the word edits of a clip, oldest first. @throws AppError `not_found` */
export const listWordEdits = async (deps: Deps, { id }: ClipRef): Promise<WordEdits> => {
  const edits = await requireStore(deps).clips.listWordEdits(id)
  if (edits === null) throw unknownClip(id)
  return { edits }
}

/**
 * Stores word edits. Exports, search and later topic runs use the edited words.
 * @throws AppError `not_found`, or `invalid` for a time after the end of the recording or an unknown speaker, `precondition_failed`
 */
export const editWords = async (
  deps: Deps,
  { id }: ClipRef,
  { edits }: WordEditsRequest,
  ifMatch?: IfMatch,
): Promise<WordEdits> => {
  const clip = await getClip(deps, { id })
  if (clip.transcription.length > 0) checkEdits(clip, edits)
  const stored = await requireStore(deps).clips.editWords(id, edits, ifMatch)
  if (stored === null) throw unknownClip(id)
  return { edits: stored }
}

const checkEdits = (clip: Clip, edits: readonly WordEdit[]): void => {
  const end_s = clip.transcription.reduce((latest, word) => Math.max(latest, word.end), clip.duration_s)
  const speakers = new Set(collectSpeakerIds(clip))
  edits.forEach((edit, i) => {
    if (edit.kind !== "merge" && edit.start_s > end_s) {
      const end = `${Math.round(end_s * 100) / 100} seconds`
      throw new AppError("invalid", `edits[${i}].start_s: must be within the recording, which ends at ${end}`)
    }
    if (edit.kind === "merge" && !speakers.has(edit.from))
      throw new AppError("invalid", `edits[${i}].from: ${unknownSpeakerMessage(edit.from, speakers)}`)
    if (edit.kind === "speaker") speakers.add(edit.speaker)
    if (edit.kind === "merge") speakers.add(edit.into)
  })
}

/** Removes one word edit and applies the remaining ones to the original words. @throws AppError `not_found`, `precondition_failed` */
export const removeWordEdit = async (
  deps: Deps,
  { id, edit_id }: { id: string; edit_id: number },
  ifMatch?: IfMatch,
): Promise<void> => {
  if (!(await requireStore(deps).clips.removeWordEdit(id, edit_id, ifMatch)))
    throw new AppError("not_found", `clip '${id}' has no correction ${edit_id}`)
}
