import * as z from "zod"

/** How far b agrees with a on where topics change: Pk (Beeferman et al. 1999; 0 is best) and F1 of borders within the tolerance. */
export const agreement = z.object({ pk: z.number(), f1: z.number(), precision: z.number(), recall: z.number() })
export type Agreement = z.infer<typeof agreement>

/** Borders by what became of them from a to b, in seconds. */
export const borderDiff = z.object({
  kept: z.array(z.number()),
  moved: z.array(z.object({ from_s: z.number(), to_s: z.number() })),
  added: z.array(z.number()),
  removed: z.array(z.number()),
  agreement,
})
export type BorderDiff = z.infer<typeof borderDiff>

/** Two trees of one recording. */
export const topicDiff = z.object({
  tolerance_s: z.number(),
  /** Between the topics of the first level. */
  topics: borderDiff,
  /** Between the innermost topics, whatever their level. */
  parts: borderDiff,
  /** Topics of one level that share at least half of the time either covers, and have other titles. */
  titles: z.array(
    z.object({
      level: z.int(),
      number_a: z.string(),
      number_b: z.string(),
      start_s: z.number(),
      title_a: z.string(),
      title_b: z.string(),
    }),
  ),
})
export type TopicDiff = z.infer<typeof topicDiff>
