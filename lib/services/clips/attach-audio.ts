import type { Clip } from "../../domain/clips.ts"
import { AppError } from "../../domain/errors.ts"
import { formatClock } from "../../domain/text/format-clock.ts"
import { withDisplayName } from "../../sources/display-name.ts"
import { identify, uploadSessionId } from "../../sources/identity.ts"
import { openRecording } from "../../sources/open.ts"
import { findBlobKey } from "../../storage/blobs/keys.ts"
import { type Deps, requireStore } from "../deps.ts"
import { findUploadedFile } from "../uploads/resumable/finish-upload.ts"
import { withUploadLock } from "../uploads/upload-lock.ts"
import { type ClipRef, getClip } from "./clips.ts"

/** A recording may end this long before the last word, because times are rounded and encoders cut the end. */
const MAX_MISSING_S = 2
/** It may go on after the last word for this long, or for this share of its length: music, applause, silence. */
const MAX_EXTRA_S = 120
const MAX_EXTRA_SHARE = 0.1
/** Decoding a recording of a day takes less. */
const DECODE_TIMEOUT_MS = 10 * 60_000

type AttachedFile = {
  /** What the clip stores. */
  readonly address: string
  /** The ID that a clip of this recording would have. */
  readonly ownId: string
  readonly name: string
  /** Makes the recording available as a local file. */
  readonly file: (signal: AbortSignal) => Promise<{ readonly path: string; readonly remove?: () => Promise<void> }>
}

const findFile = async (deps: Deps, source: string): Promise<AttachedFile> => {
  const upload = await findUploadedFile(deps, source)
  if (upload) {
    const key = findBlobKey(deps.blobs, upload.path)!
    return {
      address: upload.path,
      ownId: uploadSessionId(upload.sha256),
      name: upload.name,
      file: (signal) => deps.blobs.file(key, { dir: deps.config.data.tempDir, signal }),
    }
  }
  const { sessionId, ref } = identify(source, { roots: deps.config.roots, cwd: process.cwd(), hasTranscript: false })
  if (ref.kind !== "file")
    throw new AppError("invalid", "source: must be `upload:` and the ID of a finished upload, or the path of a file")
  const { file, path } = await openRecording(ref.path, { allowed: deps.config.roots })
  await file.close()
  return { address: path, ownId: sessionId, name: path, file: async () => ({ path }) }
}

/** @throws AppError `invalid` if a recording of this length cannot be that of the transcript */
const checkLength = ({ transcription, duration_s }: Clip, length_s: number): void => {
  const spoken_s = transcription.reduce((end, word) => Math.max(end, word.end), 0)
  const known_s = Math.max(duration_s, spoken_s)
  const isShort = length_s < spoken_s - MAX_MISSING_S
  const isLong = length_s > known_s + Math.max(MAX_EXTRA_S, known_s * MAX_EXTRA_SHARE)
  if (isShort || isLong)
    throw new AppError(
      "invalid",
      `source: the recording is ${formatClock(length_s)} long, but the transcript ends at ${formatClock(spoken_s)}. Attach the recording of this transcript.`,
    )
}

/**
 * Attaches a recording to a clip that has only a transcript. Words and topics stay as they are.
 * @throws AppError `not_found`; `conflict` if the clip has a recording, or if the recording is that of another clip;
 *   `invalid` if its length does not fit the transcript; `unsupported_media` if it cannot be decoded
 */
export const attachAudio = async (
  deps: Deps,
  { id, source }: ClipRef & { readonly source: string },
  requestSignal: AbortSignal,
): Promise<Clip> => {
  const { clips } = requireStore(deps)
  const clip = await getClip(deps, { id })
  if (clip.file_path !== null)
    throw new AppError(
      "conflict",
      `clip '${id}' has a recording already. Submit another recording as a job of its own.`,
    )
  const { address, ownId, name, file } = await findFile(deps, source)
  const other = ownId === id ? null : await clips.getTitle(ownId)
  if (other !== null)
    throw new AppError("conflict", `source: this recording is the clip '${ownId}' (${other}) already.`)
  const signal = AbortSignal.any([requestSignal, AbortSignal.timeout(DECODE_TIMEOUT_MS)])
  const { path, remove } = await file(signal)
  try {
    const waveform = await deps.engines.speech.computeWaveform(path, signal)
    checkLength(clip, waveform.duration_s)
  } catch (error) {
    throw withDisplayName(error, path, name)
  } finally {
    await remove?.()
  }
  const key = findBlobKey(deps.blobs, address)
  const attach = async () => {
    if (key !== null && (await deps.blobs.stat(key)) === null)
      throw new AppError("unavailable", "The recording was deleted while it was checked. Upload it again.")
    if (!(await clips.attachRecording(id, address)))
      throw new AppError("conflict", `clip '${id}' got a recording or was deleted meanwhile. Reload it.`)
  }
  await (key === null ? attach() : withUploadLock(requireStore(deps), key, attach))
  return getClip(deps, { id })
}
