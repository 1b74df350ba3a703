import { isAbsolute } from "node:path"
import type { QueryCitation, QuerySource } from "../../contracts/documents.ts"
import type { WordSpan } from "../../contracts/words.ts"
import { type Claim, claimsOf } from "../../models/citations.ts"
import type { Deps } from "../deps.ts"
import { saidAt } from "./said-at.ts"

/** Times of words and passages are of the same floats, but for what a database makes of them. */
const SLACK_S = 0.001

/** The words of a passage; none of a document, or of a recording that is gone by now. */
const wordsOf = async ({ store }: Pick<Deps, "store">, { chunk }: QuerySource): Promise<readonly WordSpan[]> => {
  const { source, start_s, end_s } = chunk.metadata
  if (start_s === undefined || end_s === undefined || isAbsolute(source)) return []
  const words = (await store?.getClip(source))?.transcription ?? []
  return words.filter((w) => w.start >= start_s - SLACK_S && w.start <= end_s)
}

/**
 * What the marks of an answer lead to, in their order: the source, and of a recording the second at which what the answer
 * says was said; where that is not found, the start of the passage.
 */
export const cite = async (
  deps: Pick<Deps, "store">,
  answer: string,
  sources: readonly QuerySource[],
): Promise<QueryCitation[]> => {
  const claims = claimsOf(answer)
  const named = [...new Set(claims.map((claim) => claim.source))]
  const spoken = new Map<number, readonly WordSpan[]>()
  for (const n of named) spoken.set(n, await wordsOf(deps, sources[n - 1]!))
  return claims.map(({ source, text }: Claim): QueryCitation => {
    const start_s = saidAt(spoken.get(source)!, text) ?? sources[source - 1]!.chunk.metadata.start_s
    return { source, ...(start_s !== undefined && { start_s }) }
  })
}
