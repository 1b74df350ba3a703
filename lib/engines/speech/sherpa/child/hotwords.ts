import { readFileSync } from "node:fs"

/** Characters with which sherpa separates hotwords, and begins their scores. */
const RESERVED = /[/:#@]/g

const TOKEN_LINE = /^(\S+) (\d+)$/

/** Returns terms as sherpa takes them: one text in which they are separated by slashes. */
export const joinHotwords = (terms: readonly string[]): string =>
  terms
    .map((term) => term.replaceAll(RESERVED, " ").replaceAll(/\s+/g, " ").trim())
    .filter(Boolean)
    .join("/")

/**
 * Converts tokens.txt to the vocabulary with which sherpa divides hotwords into tokens. Models come without it. In
 * SentencePiece's BPE models, the number of a token is its rank, from which the score follows.
 */
export const toBpeVocabulary = (tokens: string): string =>
  readFileSync(tokens, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, token, id] = TOKEN_LINE.exec(line.trim()) ?? []
      return token === undefined ? [] : [`${token}\t${-Number(id)}\n`]
    })
    .join("")
