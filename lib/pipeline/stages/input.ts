import { z } from "zod"
import type { WordSpan } from "../../domain/transcript/words.ts"

/**
 * Words that were checked when they came in: only their being a list is looked at again, as a transcript may hold half
 * a million of them and every stage reads it.
 */
export const knownWords = z.custom<readonly WordSpan[]>(Array.isArray, "a transcript is missing")

/** Settings of every call that is made per node, and their number at once. */
export const fanOut = z.object({ max_concurrency: z.int(), num_ctx_fanout: z.int(), reasoning: z.boolean() })
export type FanOut = z.infer<typeof fanOut>
