import type { QueryCitation, QuerySource } from "../../../domain/documents.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import { type Claim, claimsOf } from "../../../engines/language/citations.ts"
import type { Deps } from "../../deps.ts"
import { saidAt } from "./citation-time.ts"
import { spokenWords } from "./insert-sentence-breaks.ts"

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
  for (const n of named) spoken.set(n, await spokenWords(deps, sources[n - 1]!))
  return claims.map(({ source, text }: Claim): QueryCitation => {
    const start_s = saidAt(spoken.get(source)!, text) ?? sources[source - 1]!.chunk.metadata.start_s
    return { source, ...(start_s !== undefined && { start_s }) }
  })
}
