import { open, stat } from "node:fs/promises"
import { AppError } from "../../../../domain/errors.ts"
import { SNIFF_BYTES, sniff } from "../../../../platform/files/detect-format.ts"
import { resolveChildProgram, resolvePackageFile } from "../../../../platform/processes/child-program.ts"

/** Longest recording and largest file that are decoded without ffmpeg: some formats are held whole in memory. */
const MAX_S = 45 * 60
const MAX_BYTES = 100 * 2 ** 20
const MEMORY_MB = 1024

/** What audio-decode calls the containers that it may get. Not WebM: its time grows with the square of the length. */
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

const INSTALL = "install ffmpeg (apt-get install ffmpeg) and try again"

/** Whether recordings can be decoded without ffmpeg here. */
export const hasPlainDecoder = (): boolean => {
  try {
    resolvePackageFile("audio-decode/stream", import.meta.url)
    return true
  } catch {
    return false
  }
}

const formatOf = async (path: string): Promise<string | undefined> => {
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
 * The program that decodes a file where there is no ffmpeg, with its arguments.
 * @throws AppError `unsupported_media` for a format, a length or a size that wants ffmpeg
 */
export const plainDecoder = async (path: string): Promise<{ command: string; args: string[] }> => {
  const format = await formatOf(path)
  if (format === undefined)
    throw new AppError("unsupported_media", `'${path}' is of a kind that only ffmpeg can decode: ${INSTALL}`)
  const { size } = await stat(path)
  if (size > MAX_BYTES)
    throw new AppError(
      "unsupported_media",
      `'${path}' is larger than ${MAX_BYTES / 2 ** 20} MB, too large to be decoded without ffmpeg: ${INSTALL}`,
    )
  const { file, execArgv } = resolveChildProgram("audio-decoder", "decoder.child.ts", import.meta.url)
  const args = [...execArgv, `--max-old-space-size=${MEMORY_MB}`, file, path, format, String(MAX_S)]
  return { command: process.execPath, args }
}
