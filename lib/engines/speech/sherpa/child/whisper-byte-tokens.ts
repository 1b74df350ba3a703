import { readFileSync } from "node:fs"
import type { NativeResult } from "./native.ts"
import { withTemporaryFile } from "./temporary-file.ts"

/*
 * Whisper's tokens are bytes, and a Hebrew or Chinese character may span two or three of them. sherpa 1.13.8 removes
 * invalid UTF-8 from each token, so such characters are lost (k2-fsa/sherpa-onnx#3964). This module therefore gives sherpa
 * tokens in which each byte is one Latin-1 character, and decodes the result.
 */

const TOKEN_LINE = /^(\S+) (\d+)$/

/** Converts Whisper's tokens.txt (base64 and number per line) to tokens with one Latin-1 character per byte. */
export const toLatin1Tokens = (tokens: string): string =>
  tokens
    .split("\n")
    .map((line) => {
      const [, token, id] = TOKEN_LINE.exec(line.trim()) ?? []
      if (token === undefined) return line
      return `${Buffer.from(Buffer.from(token, "base64").toString("latin1"), "utf8").toString("base64")} ${id}`
    })
    .join("\n")

/** Calls `load` with the path of a temporary tokens file. */
export const withLatin1Tokens = <T>(tokens: string, load: (path: string) => Promise<T>): Promise<T> =>
  withTemporaryFile(toLatin1Tokens(readFileSync(tokens, "utf8")), load)

const latin1Bytes = (text: string): Buffer => Buffer.from(text, "latin1")
/** A character that the end of the segment cut in two is dropped. */
const decodeLatin1 = (text: string): string => latin1Bytes(text).toString("utf8").replaceAll("\uFFFD", "")

/** Decodes a result to UTF-8. Tokens that contain part of a character are joined with those that complete it. */
export const decodeByteTokens = (result: NativeResult): NativeResult => {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  const tokens: string[] = []
  const timestamps: number[] = []
  const durations: number[] = []
  const { timestamps: starts, durations: lengths } = result
  const isTimed = starts.length === result.tokens.length
  let from: number | null = null
  for (const [i, token] of result.tokens.entries()) {
    from ??= i
    const text = decoder.decode(latin1Bytes(token), { stream: true }).replaceAll("\uFFFD", "")
    if (text === "" && token !== "") continue
    tokens.push(text)
    if (isTimed) {
      timestamps.push(starts[from]!)
      durations.push(lengths.slice(from, i + 1).reduce((sum, s) => sum + s, 0))
    }
    from = null
  }
  return {
    ...result,
    text: decodeLatin1(result.text),
    tokens,
    timestamps,
    durations,
    ...(result.segment_texts && { segment_texts: result.segment_texts.map(decodeLatin1) }),
  }
}
