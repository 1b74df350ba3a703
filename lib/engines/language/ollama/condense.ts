import { mapConcurrently } from "../../../platform/concurrency.ts"
import type { CallContext, Summary } from "../types.ts"
import { estimateTokens } from "./tokens.ts"

/** Groups that stay within a budget of tokens where they can; always at least two in a group, so that rounds end. */
const grouped = (lines: readonly string[], budget: number): string[] => {
  const dearest = Math.max(...lines.map(estimateTokens)) + 1
  const size = Math.max(2, Math.floor(budget / dearest))
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, i) =>
    lines.slice(i * size, (i + 1) * size).join("\n"),
  )
}

/**
 * One summary of texts that do not fit into one call: each is summarised, then their summaries are, until one is left.
 * At least one text.
 */
export const condense = async (
  texts: readonly string[],
  budget: number,
  ctx: CallContext,
  summarise: (text: string, ctx: CallContext) => Promise<Summary>,
): Promise<Summary> => {
  const parts = await mapConcurrently(texts, ctx.concurrency ?? texts.length, ctx.signal, (text, signal) =>
    summarise(text, { ...ctx, signal }),
  )
  if (parts.length === 1) return parts[0]!
  const lines = parts.map(({ title, summary }) => `${title}: ${summary}`)
  return condense(grouped(lines, budget), budget, ctx, summarise)
}
