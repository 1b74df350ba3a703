import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

type Id = string | number
export type RetrievalSet = {
  readonly docs: readonly { readonly id: Id; readonly title: string; readonly text: string }[]
  /** Only questions with at least one relevant document. */
  readonly queries: readonly { readonly text: string; readonly relevant: ReadonlySet<string> }[]
}
export type Quality = { readonly ndcg10: number; readonly recall10: number }

const read = (file: string): unknown => {
  if (!existsSync(file))
    throw new Error(`Couldn't find ${file}. test/bench/retrieval/data/README.md describes the format.`)
  return JSON.parse(readFileSync(file, "utf8"))
}

export const readSet = (docsFile: string, queriesFile: string): RetrievalSet => {
  const docs = (read(docsFile) as RetrievalSet["docs"]).filter(({ text }) => text.trim() !== "")
  const { queries, qrels } = read(queriesFile) as { queries: { id: Id; text: string }[]; qrels: [Id, Id][] }
  const relevant = new Map<Id, Set<string>>()
  for (const [query, doc] of qrels) relevant.set(query, (relevant.get(query) ?? new Set()).add(String(doc)))
  return {
    docs,
    queries: queries.flatMap(({ id, text }) => (relevant.has(id) ? [{ text, relevant: relevant.get(id)! }] : [])),
  }
}

/** Writes one text file per document. */
export const writeDocs = (dir: string, { docs }: RetrievalSet): void => {
  mkdirSync(dir)
  for (const { id, title, text } of docs) writeFileSync(join(dir, `${id}.txt`), `${title}\n\n${text}\n`)
}

const DEPTH = 10

/** Returns the mean nDCG and recall over all questions, of the first ten distinct documents, with binary relevance. */
export const measureQuality = ({ queries }: RetrievalSet, ranked: readonly (readonly string[])[]): Quality => {
  let ndcg = 0
  let recall = 0
  queries.forEach(({ relevant }, q) => {
    const found = [...new Set(ranked[q])].slice(0, DEPTH).map((id) => relevant.has(id))
    const gain = found.reduce((sum, hit, i) => sum + (hit ? 1 / Math.log2(i + 2) : 0), 0)
    const ideal = Array.from({ length: Math.min(DEPTH, relevant.size) }, (_, i) => 1 / Math.log2(i + 2))
    ndcg += gain / ideal.reduce((a, b) => a + b, 0)
    recall += found.filter(Boolean).length / relevant.size
  })
  return { ndcg10: ndcg / queries.length, recall10: recall / queries.length }
}
