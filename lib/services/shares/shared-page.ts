import { AppError } from "../../domain/errors.ts"
import { excerptClip } from "../../domain/export/excerpt.ts"
import { renderRecordingPage } from "../../domain/export/html/page.ts"
import type { StoredShare } from "../../storage/stores/ports/shares.ts"
import { openAudioExcerpt } from "../clips/audio-excerpt.ts"
import { type ClipAudio, openClipAudio } from "../clips/clip-audio.ts"
import { getClip } from "../clips/clips.ts"
import { type Deps, requireStore } from "../deps.ts"
import { shareRange } from "./shares.ts"

/** The audio of a link. A whole recording may be served by the object storage, to which `link` leads. */
export type SharedAudio = Pick<ClipAudio, "size" | "mtimeMs" | "type" | "read" | "close"> &
  Partial<Pick<ClipAudio, "link">>

/** One message for every link that does not work, so that it tells nothing about links that exist. */
const unknownLink = (): AppError =>
  new AppError("not_found", "This link does not exist, has expired or was revoked. Ask for a new one.")

const openLink = async (deps: Deps, secret: string): Promise<StoredShare> => {
  const share = await requireStore(deps).shares.open(secret)
  if (share === null) throw unknownLink()
  return share
}

/** Hides that the clip of a link was deleted since the link was read. */
const orUnknownLink = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw AppError.is(error) && error.code === "not_found" ? unknownLink() : error
  })

/**
 * Renders the page of a share link. It contains only the shared recording or topic.
 * @param nonce the nonce of inline scripts in the content security policy of the response
 * @throws AppError `not_found` for every link that does not work
 */
export const renderSharedPage = async (deps: Deps, secret: string, nonce: string): Promise<string> => {
  const share = await openLink(deps, secret)
  const { file_path, ...whole } = await orUnknownLink(getClip(deps, { id: share.clipId }))
  const range = shareRange(share)
  const clip = range ? excerptClip(whole, range) : whole
  const audio =
    share.withAudio && file_path !== null ? ({ kind: "address", url: `/share/${secret}/audio` } as const) : null
  return renderRecordingPage(clip, { audio, nonce }).join("")
}

/**
 * Opens the audio of a share link: the recording, or the part that belongs to the shared topic.
 * @throws AppError `not_found` for every link that does not work, and for one without audio
 */
export const openSharedAudio = async (deps: Deps, secret: string): Promise<SharedAudio> => {
  const share = await openLink(deps, secret)
  if (!share.withAudio) throw unknownLink()
  const range = shareRange(share)
  const ref = { id: share.clipId }
  return orUnknownLink<SharedAudio>(range ? openAudioExcerpt(deps, ref, range) : openClipAudio(deps, ref))
}
