import { AppError } from "../../../domain/errors.ts"
import { type ChildEnd, describeExit } from "../../../platform/processes/child.ts"
import { findProgram } from "../../../platform/processes/find-program.ts"

/** Containers that hold their sound themselves. Playlists and scripts, which name other files, are not among them. */
const DEMUXERS =
  "aac,ac3,aiff,amr,ape,asf,au,avi,caf,dsf,flac,flv,matroska,webm,mov,mp3,mpc,mpc8,mpeg,mpegts,ogg,tta,w64,wav,wv"

/** Given before every input: the file itself and nothing that it may point to. */
export const INPUT_LIMITS = ["-protocol_whitelist", "file,pipe", "-format_whitelist", DEMUXERS] as const

/** The path of ffmpeg or ffprobe. @throws AppError `capability_missing` with the line that installs them. */
export const programOf = async (name: "ffmpeg" | "ffprobe"): Promise<string> => {
  const path = await findProgram(name)
  if (path) return path
  throw new AppError("capability_missing", `${name} was not found: install it with  apt-get install ffmpeg`)
}

/** ffmpeg's last line, without its prefixes and without any path but the given one. */
export const lastLine = (stderr: string, path: string): string => {
  const line = stderr.trim().split("\n").at(-1) ?? ""
  return line
    .replace(/^(\[[^\]]*\]\s*)+/, "")
    .replaceAll(`file:${path}`, path)
    .split(path)
    .map((part) => part.replace(/(?:[a-z]+:)?\/[^\s'":,]+/g, "…"))
    .join(path)
    .replace(`${path}: `, "")
    .slice(0, 300)
}

/** The refusal of a recording that would keep an engine busy for days. */
export const tooLong = (path: string, most_s: number): AppError =>
  new AppError(
    "too_large",
    `'${path}' is longer than the ${Number((most_s / 3600).toFixed(2))} hours that SERVICE_MAX_AUDIO_HOURS allows: cut it, or raise that`,
  )

/** The refusal of a file that ffmpeg or ffprobe gave up on. */
export const notReadable = (path: string, end: ChildEnd): AppError =>
  end.signal !== null
    ? new AppError("unavailable", `the decoder stopped while reading '${path}' (${describeExit(end)})`, {
        retry: "retry",
      })
    : new AppError(
        "unsupported_media",
        `'${path}' cannot be decoded: ${lastLine(end.stderr, path) || describeExit(end)}. ` +
          "Check that it plays, or convert it to wav or mp3 and try again",
      )
