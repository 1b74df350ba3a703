import { MAX_TITLE_CHARS } from "../../domain/constants.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { clock } from "./boundary-text.ts"
import { titlesOf } from "./builtin/titles.ts"
import type { Node, Summary } from "./types.ts"

const same = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/**
 * The answers for the nodes of one level, in order, with titles that differ in more than case and marks: of equal ones
 * the first stays, the others say after a colon what is particular to them, or failing that when they begin.
 */
export const withDistinctTitles = (
  words: readonly WordSpan[],
  nodes: readonly Node[],
  answers: readonly Summary[],
): Summary[] => {
  const counts = new Map<string, number>()
  for (const { title } of answers) counts.set(same(title), (counts.get(same(title)) ?? 0) + 1)
  if (counts.size === answers.length) return [...answers]
  const own = titlesOf(words, nodes)
  const seen = new Set<string>()
  return answers.map((answer, i) => {
    const tried = [
      answer.title,
      ...[own[i]!, clock(nodes[i]!.start_s), nodes[i]!.id].map(
        (more) => `${answer.title.slice(0, Math.max(0, MAX_TITLE_CHARS - more.length - 2))}: ${more}`,
      ),
    ].map((title) => title.slice(0, MAX_TITLE_CHARS))
    const title = tried.find((t) => !seen.has(same(t))) ?? answer.title
    seen.add(same(title))
    return { ...answer, title }
  })
}
