import { type ClipPart, clipEtag, type IfMatch } from "../../domain/clip-version.ts"
import type { Clip, ClipPatch } from "../../domain/clips.ts"
import { AppError } from "../../domain/errors.ts"
import { uploadSessionId } from "../../sources/identity.ts"
import { findBlobKey, hashOfKey } from "../../storage/blobs/keys.ts"
import { type Deps, requireBlobs, requireStore } from "../deps.ts"
import { removeUnusedUploads } from "../uploads/unused-uploads.ts"

export type ClipRef = { readonly id: string }

export const unknownClip = (id: string): AppError => new AppError("not_found", `unknown clip '${id}'`)

/** @throws AppError `not_found` */
export const getClip = async (deps: Deps, { id }: ClipRef): Promise<Clip> => {
  const clip = await requireStore(deps).clips.get(id)
  if (clip === null) throw unknownClip(id)
  return clip
}

/** Returns the ETag of some parts of a clip. @throws AppError `not_found` */
export const getClipEtag = async (deps: Deps, { id }: ClipRef, parts?: readonly ClipPart[]): Promise<string> => {
  const version = await requireStore(deps).clips.getVersion(id)
  if (version === null) throw unknownClip(id)
  return clipEtag(version, parts)
}

/**
 * Sets the title of a clip, the names of its speakers or its tags. Later jobs keep them.
 * @throws AppError `not_found`, `invalid` for an unknown speaker, `precondition_failed`
 */
export const editClip = async (deps: Deps, { id }: ClipRef, patch: ClipPatch, ifMatch?: IfMatch): Promise<Clip> => {
  if (patch.speakers) await checkSpeakersExist(deps, { id }, patch.speakers)
  const clip = await requireStore(deps).clips.update(id, patch, ifMatch)
  if (clip === null) throw unknownClip(id)
  return clip
}

/**
 * Rejects names for speakers whom the clip does not have. Any name is accepted before transcription, and names of speakers
 * from an earlier transcript stay valid.
 * @throws AppError `not_found`, `invalid`
 */
export const checkSpeakersExist = async (
  deps: Deps,
  { id }: ClipRef,
  names: Readonly<Record<string, string>>,
): Promise<void> => {
  const clip = await getClip(deps, { id })
  const speakers = collectSpeakerIds(clip)
  if (speakers.size === 0) return
  const unknown = Object.keys(names).find(
    (speaker) => names[speaker] !== "" && !speakers.has(speaker) && !Object.hasOwn(clip.speakers, speaker),
  )
  if (unknown !== undefined) throw new AppError("invalid", `speakers: ${unknownSpeakerMessage(unknown, speakers)}`)
}

/** Returns the IDs of the speakers in a transcript. */
export const collectSpeakerIds = ({ transcription }: Pick<Clip, "transcription">): ReadonlySet<string> =>
  new Set(transcription.map((word) => word.speaker))

const MAX_LISTED_SPEAKERS = 20

export const unknownSpeakerMessage = (unknown: string, speakers: ReadonlySet<string>): string => {
  const ids = [...speakers].sort().map((id) => `'${id}'`)
  const listed = ids.slice(0, MAX_LISTED_SPEAKERS).join(", ")
  const more = ids.length > MAX_LISTED_SPEAKERS ? ` and ${ids.length - MAX_LISTED_SPEAKERS} more` : ""
  const available = ids.length === 1 ? "Its only speaker is" : "Its speakers are"
  return `the recording has no speaker '${unknown}'. ${available} ${listed}${more}.`
}

/**
 * Deletes a clip with everything derived from it, and its recording if that was uploaded. Files at a caller's own path are
 * never deleted. An ID without a clip refers to jobs that have not transcribed yet; these are deleted. If the blob storage
 * is unavailable, nothing is deleted, so that the caller can try again.
 * @throws AppError `not_found`, `conflict` while one of its jobs runs, `unavailable`, `precondition_failed`
 */
export const deleteClip = async (deps: Deps, { id }: ClipRef, ifMatch?: IfMatch): Promise<void> => {
  const store = requireStore(deps)
  const clip = await store.clips.get(id)
  // Without a clip, only its jobs know whether there is an upload.
  if (clip === null || (clip.file_path !== null && findBlobKey(deps.blobs, clip.file_path) !== null))
    await requireBlobs(deps)
  const deleted = await store.clips.delete(id, ifMatch)
  if (deleted === null) throw unknownClip(id)
  const ofClip = clip?.file_path && isUploadOfClip(deps, id, clip.file_path) ? [clip.file_path] : []
  await removeUnusedUploads(deps, [...new Set([...deleted.uploads, ...ofClip])])
}

/** Returns true if the clip was uploaded: its ID then derives from the hash in the address. Its jobs may be deleted already. */
const isUploadOfClip = ({ blobs }: Pick<Deps, "blobs">, clipId: string, address: string): boolean => {
  const key = findBlobKey(blobs, address)
  const hash = key === null ? null : hashOfKey(key)
  return hash !== null && uploadSessionId(hash) === clipId
}
