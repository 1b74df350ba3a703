import { AppError } from "../../../domain/errors.ts"
import { type ChildEnd, describeExit } from "../../../platform/processes/child.ts"
import { findProgram } from "../../../platform/processes/find-program.ts"

/** Containers that cannot refer to other files, unlike playlists and concat scripts. */
const DEMUXERS =
  "aac,ac3,aiff,amr,ape,asf,au,avi,caf,dsf,flac,flv,matroska,webm,mov,mp3,mpc,mpc8,mpeg,mpegts,ogg,tta,w64,wav,wv"

/** Input options that restrict ffmpeg to the file itself. */
export const INPUT_LIMITS = ["-protocol_whitelist", "file,pipe", "-format_whitelist", DEMUXERS] as const

/** Returns the path of ffmpeg or ffprobe. @throws AppError `capability_missing` with the install command */
export const requireProgram = async (name: "ffmpeg" | "ffprobe"): Promise<string> => {
  const path = await findProgram(name)
  if (path) return path
  throw new AppError("capability_missing", `Couldn't find ${name}. Run apt-get install ffmpeg.`)
}

/** Returns the last line of ffmpeg's output without prefixes and without paths other than the given one. */
export const lastErrorLine = (stderr: string, path: string): string => {
  const line = stderr.trim().split("\n").at(-1) ?? ""
  return line
    .replace(/^(\[[^\]]*\]\s*)+/, "")
    .replaceAll(`file:${path}`, path)
    .split(path)
    .map((part) => part.replace(/(?:\b[a-z]+:)?\/[^\s'":,]+/g, "…"))
    .join(path)
    .replace(`${path}: `, "")
    .slice(0, 300)
}

export const tooLongError = (path: string, maxDuration_s: number): AppError =>
  new AppError(
    "too_large",
    `Couldn't read ${path}: the recording is longer than ${Number((maxDuration_s / 3600).toFixed(2))} hours. Shorten it, or raise SERVICE_MAX_AUDIO_HOURS.`,
  )

/** Converts a failed run of ffmpeg or ffprobe. One that was killed can be retried. */
export const decodeError = (path: string, end: ChildEnd): AppError =>
  end.signal !== null
    ? new AppError("unavailable", `The decoder stopped while reading ${path} (${describeExit(end)}).`, {
        retry: "retry",
      })
    : new AppError(
        "unsupported_media",
        `Couldn't decode ${path}: ${lastErrorLine(end.stderr, path) || describeExit(end)}. ` +
          "Check that it plays, or convert it to wav or mp3 and try again.",
      )
