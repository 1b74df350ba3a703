/** Phrases of words, to be found at a position of a sentence. */
export type Phrases = {
  /** Returns the number of words of the longest phrase that begins at `at`, or 0. */
  matchAt(words: readonly string[], at: number): number
  /** Returns where the first phrase begins, or −1. */
  find(words: readonly string[]): number
}

/** Words after which a clause describes something or reports it: "the thing that we need to check". */
export const CONNECTORS: ReadonlySet<string> = new Set(
  "that which what where how when who whom whose why if whether thing things something anything everything all once until than as because cause like".split(
    " ",
  ),
)

/** Compiles phrases that are written one per line or separated by `|`. A lookup compares only those with the same first word. */
export const compilePhrases = (text: string): Phrases => {
  const byFirst = new Map<string, string[][]>()
  for (const phrase of text.split(/[|\n]/)) {
    const words = phrase.trim().split(/\s+/).filter(Boolean)
    if (words.length > 0) byFirst.set(words[0]!, [...(byFirst.get(words[0]!) ?? []), words])
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.length - a.length)
  const matchAt = (words: readonly string[], at: number): number =>
    byFirst.get(words[at] ?? "")?.find((phrase) => phrase.every((word, i) => words[at + i] === word))?.length ?? 0
  return { matchAt, find: (words) => words.findIndex((_, at) => matchAt(words, at) > 0) }
}
