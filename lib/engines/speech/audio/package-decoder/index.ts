import { open, stat } from "node:fs/promises"
import { AppError } from "../../../../domain/errors.ts"
import { SNIFF_BYTES, sniff } from "../../../../platform/files/detect-format.ts"
import { resolveChildProgram, resolvePackageFile } from "../../../../platform/processes/child-program.ts"

/** Limits for decoding without ffmpeg: some formats are held in memory as a whole. */
const MAX_DURATION_S = 45 * 60
const MAX_BYTES = 100 * 2 ** 20
const MEMORY_MB = 1024

/** The names that audio-decode uses for the containers. WebM is excluded, because its time grows quadratically. */
const FORMATS: Readonly<Record<string, string>> = {
  wav: "wav",
  flac: "flac",
  mp3: "mp3",
  mp4: "m4a",
  aac: "aac",
  aiff: "aiff",
  caf: "caf",
  amr: "amr",
}

const INSTALL_FFMPEG = "Install ffmpeg (apt-get install ffmpeg) and try again."

/** Returns true if the npm package audio-decode is installed. */
export const hasPackageDecoder = (): boolean => {
  try {
    resolvePackageFile("audio-decode/stream", import.meta.url)
    return true
  } catch {
    return false
  }
}

const detectFormat = async (path: string): Promise<string | undefined> => {
  const file = await open(path)
  try {
    const head = Buffer.alloc(SNIFF_BYTES)
    const { bytesRead } = await file.read(head, 0, SNIFF_BYTES, 0)
    const container = sniff(head.subarray(0, bytesRead))
    if (container === "ogg") return head.includes("OpusHead") ? "opus" : head.includes("vorbis") ? "oga" : undefined
    return container === null ? undefined : FORMATS[container]
  } finally {
    await file.close()
  }
}

/**
 * Returns the command that decodes a file without ffmpeg.
 * @throws AppError `unsupported_media` if the format or the size requires ffmpeg
 */
export const packageDecoderCommand = async (path: string): Promise<{ command: string; args: string[] }> => {
  const format = await detectFormat(path)
  if (format === undefined)
    throw new AppError("unsupported_media", `Couldn't decode ${path}: this format needs ffmpeg. ${INSTALL_FFMPEG}`)
  const { size } = await stat(path)
  if (size > MAX_BYTES)
    throw new AppError(
      "unsupported_media",
      `Couldn't decode ${path}: files larger than ${MAX_BYTES / 2 ** 20} MB need ffmpeg. ${INSTALL_FFMPEG}`,
    )
  const { file, execArgv } = resolveChildProgram("audio-decoder", "decoder.child.ts", import.meta.url)
  const args = [...execArgv, `--max-old-space-size=${MEMORY_MB}`, file, path, format, String(MAX_DURATION_S)]
  return { command: process.execPath, args }
}
