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

/** The numbers that a text cites. */
export const citedIn = (text: string): number[] => [
  ...new Set([...text.matchAll(CITATION)].flatMap((m) => [...m[0].matchAll(/\d+/g)].map((n) => Number(n[0])))),
]

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
