import * as z from "zod"
import { topicDetail } from "../../domain/jobs/jobs.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"

/**
 * The words of the stored transcript. They were validated on submission, and a transcript may have half a million words, so
 * this only checks that they are a list.
 */
export const storedWords = z.custom<readonly WordSpan[]>(Array.isArray, "the transcript is missing")

/** The options of stages that make one call per topic. */
export const perTopicOptions = z.object({ max_concurrency: z.int(), num_ctx_fanout: z.int(), reasoning: z.boolean() })

/** How finely topics are divided. A job that was submitted by an earlier version has no such option. */
export const storedTopicDetail = topicDetail.default("normal")
