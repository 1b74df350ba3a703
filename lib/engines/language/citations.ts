import { sentencesIn } from "../../domain/text/sentences.ts"

/** A citation, alone or with others: `[3]`, `[1, 2]`. */
const CITATION = /\[\s*\d+(?:\s*[,;]\s*\d+)*\s*\]/g
/** Longest piece that can still become one. */
const MAX_OPEN = 40

/** Citations beyond the last source are taken out; what remains is written `[1][2]`. */
const kept = (text: string, sources: number): string =>
  text.replace(CITATION, (found) =>
    [...found.matchAll(/\d+/g)]
      .map((m) => Number(m[0]))
      .filter((n) => n >= 1 && n <= sources)
      .map((n) => `[${n}]`)
      .join(""),
  )

/** A mark of an answer: which source it names, counted from 1, and the sentence that it stands behind. */
export type Claim = { readonly source: number; readonly text: string }

/** The marks of an answer in order; those that follow each other stand behind the same sentence. */
export const claimsOf = (answer: string): Claim[] => {
  const claims: Claim[] = []
  let text = ""
  let from = 0
  for (const mark of answer.matchAll(CITATION)) {
    const between = sentencesIn(answer.slice(from, mark.index)).findLast((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    text = between ?? text
    for (const [n] of mark[0].matchAll(/\d+/g)) claims.push({ source: Number(n), text })
    from = mark.index + mark[0].length
  }
  return claims
}

/** Passes a streamed answer on with only such citations as name one of the sources, whatever pieces it comes in. */
export async function* validCitations(pieces: AsyncIterable<string>, sources: number): AsyncGenerator<string> {
  let held = ""
  for await (const piece of pieces) {
    held += piece
    const open = held.lastIndexOf("[")
    const unfinished = open >= 0 && !held.includes("]", open) && held.length - open <= MAX_OPEN
    const ready = kept(unfinished ? held.slice(0, open) : held, sources)
    held = unfinished ? held.slice(open) : ""
    if (ready) yield ready
  }
  const rest = kept(held, sources)
  if (rest) yield rest
}
