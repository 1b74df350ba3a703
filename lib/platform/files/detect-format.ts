import { AppError } from "../../domain/errors.ts"

const latin = (head: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...head.subarray(from, from + length))

const mpegFrame = (head: Uint8Array, at: number): string | null => {
  const [sync, kind = 0, rate = 0] = head.subarray(at, at + 3)
  if (sync !== 0xff || (kind & 0xe0) !== 0xe0) return null
  if ((kind & 0xf6) === 0xf0) return "aac"
  // Layer I died out, and its bits are those of the byte-order mark of UTF-16 text.
  const reserved = (kind & 0x18) === 0x08 || ![0x02, 0x04].includes(kind & 0x06) || rate >> 4 === 15 || rate >> 4 === 0
  return reserved || (rate & 0x0c) === 0x0c ? null : "mp3"
}

const MAGIC: readonly (readonly [offset: number, bytes: string, format: string])[] = [
  [0, "fLaC", "flac"],
  [0, "OggS", "ogg"],
  [0, "ID3", "mp3"],
  [4, "ftyp", "mp4"],
  [4, "moov", "mp4"],
  [4, "mdat", "mp4"],
  [4, "wide", "mp4"],
  [4, "free", "mp4"],
  [0, "\x1a\x45\xdf\xa3", "matroska"],
  [0, "#!AMR", "amr"],
  [0, "caff", "caf"],
  [0, "ADIF", "aac"],
  [0, "MAC ", "ape"],
  [0, "wvpk", "wavpack"],
  [0, "TTA1", "tta"],
  [0, ".snd", "au"],
  [0, "MPCK", "musepack"],
  [0, "MP+", "musepack"],
  [0, "DSD ", "dsf"],
  [0, "FLV\x01", "flv"],
  [0, "\x0b\x77", "ac3"],
  [0, "\x00\x00\x01\xba", "mpeg-ps"],
  [0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", "asf"],
]

/** Containers that start with four letters, a size, and four letters for the type. */
const CHUNKED: Readonly<Record<string, readonly [kinds: readonly string[], format: string]>> = {
  RIFF: [["WAVE"], "wav"],
  RF64: [["WAVE"], "wav"],
  FORM: [["AIFF", "AIFC"], "aiff"],
}

/** The number of bytes from the start of a file that `sniff` needs. */
export const SNIFF_BYTES = 4096

/**
 * Detects the container format of a recording from its first bytes. Returns null for other files, including playlists and scripts
 * that make a decoder open further files (m3u8, ffconcat, SDP …).
 */
export const sniff = (head: Uint8Array): string | null => {
  const chunked = CHUNKED[latin(head, 0, 4)]
  if (chunked) return chunked[0].includes(latin(head, 8, 4)) ? chunked[1] : latin(head, 8, 4) === "AVI " ? "avi" : null
  for (const [offset, bytes, format] of MAGIC) if (latin(head, offset, bytes.length) === bytes) return format
  if (head[0] === 0x47 && head[188] === 0x47 && head[376] === 0x47) return "mpeg-ts"
  // Some programs write zero bytes before the first MP3 frame.
  let at = 0
  while (at < head.length && head[at] === 0) at++
  return mpegFrame(head, at)
}

/** Returns the container format by the first bytes. @throws AppError `unsupported_media` if it is not a recording */
export const detectContainer = (head: Uint8Array, name: string): string => {
  const format = sniff(head)
  if (format !== null) return format
  throw new AppError(
    "unsupported_media",
    `Couldn't read ${name}: not a recording in a supported format. Use wav, flac, mp3, ogg, opus, m4a, mp4, webm or similar.`,
  )
}
