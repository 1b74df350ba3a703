import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { newId } from "../../../domain/ids.ts"
import type { NativeResult } from "./native.ts"

/*
 * Whisper's tokens are bytes, and a letter of Hebrew or a character of Chinese may lie in two or three of them. sherpa
 * 1.13.8 takes from each token what is no UTF-8 by itself, so such letters vanish (k2-fsa/sherpa-onnx#3964). It is
 * therefore given tokens in which every byte is a character of its own (Latin-1), and what it says is put together here.
 */

const TOKEN_LINE = /^(\S+) (\d+)$/

/** tokens.txt of Whisper (base64 and number a line) with each byte as a character. */
export const spelled = (tokens: string): string =>
  tokens
    .split("\n")
    .map((line) => {
      const [, token, id] = TOKEN_LINE.exec(line.trim()) ?? []
      if (token === undefined) return line
      return `${Buffer.from(Buffer.from(token, "base64").toString("latin1"), "utf8").toString("base64")} ${id}`
    })
    .join("\n")

/** Runs `load` with a path at which the spelled tokens can be read meanwhile. On Linux not even a crash leaves the file. */
export const withLatin1Tokens = async <T>(tokens: string, load: (path: string) => Promise<T>): Promise<T> => {
  const path = join(tmpdir(), `earmark-tokens-${newId()}.txt`)
  const fd = openSync(path, "wx+", 0o600)
  try {
    const byNumber = `/proc/self/fd/${fd}`
    const isNameless = existsSync(byNumber)
    if (isNameless) rmSync(path)
    writeFileSync(fd, spelled(readFileSync(tokens, "utf8")))
    return await load(isNameless ? byNumber : path)
  } finally {
    closeSync(fd)
    rmSync(path, { force: true })
  }
}

const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1")
/** What is no UTF-8 even so was cut off by the end of the segment. */
const textOf = (text: string): string => bytesOf(text).toString("utf8").replaceAll("\uFFFD", "")

/** A result in real characters: tokens that hold a part of one are joined to the token that completes it. */
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
    const text = decoder.decode(bytesOf(token), { stream: true }).replaceAll("\uFFFD", "")
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
    text: textOf(result.text),
    tokens,
    timestamps,
    durations,
    ...(result.segment_texts && { segment_texts: result.segment_texts.map(textOf) }),
  }
}
