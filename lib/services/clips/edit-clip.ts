import type { Clip, ClipPatch } from "../../domain/clips.ts"
import { AppError } from "../../domain/errors.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"
import { unknownSpeakerMessage, voicesIn } from "./clip-speakers.ts"
import { type ClipRef, getClip, unknownClip } from "./get-clip.ts"

/** A name is for somebody who speaks. Voices are not known before somebody listened; one that another run heard keeps its name. */
const refuseStrangers = async (deps: Deps, { id }: ClipRef, names: Readonly<Record<string, string>>): Promise<void> => {
  const clip = await getClip(deps, { id })
  const voices = voicesIn(clip)
  if (voices.size === 0) return
  const stranger = Object.keys(names).find(
    (voice) => names[voice] !== "" && !voices.has(voice) && !Object.hasOwn(clip.speakers, voice),
  )
  if (stranger !== undefined) throw new AppError("invalid", `speakers: ${unknownSpeakerMessage(stranger, voices)}`)
}

/**
 * Gives a clip a title or its speakers names; a later run of the pipeline leaves both alone.
 * @throws AppError `not_found`, or `invalid` for the name of somebody who does not speak
 */
export const editClip = async (deps: Deps, { id }: ClipRef, patch: ClipPatch): Promise<Clip> => {
  if (patch.speakers) await refuseStrangers(deps, { id }, patch.speakers)
  const clip = await requireStore(deps).clips.update(id, patch)
  if (clip === null) throw unknownClip(id)
  return clip
}
