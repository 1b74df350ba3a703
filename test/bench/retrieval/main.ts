import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { packageRoot } from "#lib/platform/package-root.ts"
import { type Quality, qualityOf, type RetrievalSet, readSet, writeDocs } from "./data.ts"
import { installRival, openOurs, openRival, type Pipeline } from "./pipelines.ts"

const ROUNDS = 3

type Measured = Quality & { readonly files_per_s: number; readonly ms_per_query: number }
type Runner = { readonly name: string; open(round: number): Promise<Pipeline> }

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const rounded = (value: number, digits = 4): number => Number(value.toFixed(digits))

const timed = async (work: () => Promise<void>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** One after the other in every round, so that what else the machine does hits all; medians of the rounds. */
const measure = async (set: RetrievalSet, runners: readonly Runner[]): Promise<Map<string, Measured>> => {
  const times = new Map(runners.map(({ name }) => [name, { ingest: [] as number[], query: [] as number[] }]))
  const quality = new Map<string, Quality>()
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, open } of runners) {
      const pipeline = await open(round)
      const { ingest, query } = times.get(name)!
      ingest.push(await timed(() => pipeline.ingest()))
      await pipeline.find(set.queries[0]!.text)
      const ranked: string[][] = []
      query.push(
        await timed(async () => {
          for (const { text } of set.queries) ranked.push(await pipeline.find(text))
        }),
      )
      quality.set(name, qualityOf(set, ranked))
      await pipeline.close()
    }
  return new Map(
    runners.map(({ name }) => {
      const { ingest, query } = times.get(name)!
      const { ndcg10, recall10 } = quality.get(name)!
      return [
        name,
        {
          ndcg10: rounded(ndcg10),
          recall10: rounded(recall10),
          files_per_s: rounded((1000 * set.docs.length) / median(ingest), 1),
          ms_per_query: rounded(median(query) / set.queries.length, 2),
        },
      ]
    }),
  )
}

const ratios = (ours: Measured, theirs: Measured) => ({
  ndcg10: rounded(ours.ndcg10 / theirs.ndcg10, 2),
  recall10: rounded(ours.recall10 / theirs.recall10, 2),
  files_per_s: rounded(ours.files_per_s / theirs.files_per_s, 2),
  ms_per_query: rounded(ours.ms_per_query / theirs.ms_per_query, 2),
})

/**
 * Finding documents, beside a LangChain.js pipeline with the same embedder. `--data DIR` holds docs.json and
 * queries.json (test/bench/retrieval/data/README.md); `--docs FILE` and `--queries FILE` name them one by one. The rival
 * is installed into its own folder the first time; where that fails, our figures stand alone.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string", default: join(packageRoot(), "test/bench/retrieval/data") },
      docs: { type: "string" },
      queries: { type: "string" },
    },
  })
  const set = readSet(
    values.docs ?? join(values.data, "docs.json"),
    values.queries ?? join(values.data, "queries.json"),
  )
  const missing = installRival()
  if (missing !== null) console.error(`LangChain.js could not be installed, so ours stands alone: ${missing}`)
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "earmark-bench-")))
  try {
    const docs = join(dir, "docs")
    writeDocs(docs, set)
    const ours = (kind: "sqlite" | "memory"): Runner => ({
      name: `earmark ${kind}`,
      open: (round) => openOurs(docs, join(dir, `${kind}-${round}`), kind),
    })
    const rival = missing === null ? [{ name: "langchain", open: () => openRival(docs) }] : []
    const found = await measure(set, [ours("sqlite"), ours("memory"), ...rival])
    const print = (figures: object) => console.log(JSON.stringify(figures))
    for (const [name, figures] of found)
      print({ bench: "retrieval", name, docs: set.docs.length, queries: set.queries.length, ...figures })
    const theirs = found.get("langchain")
    for (const kind of theirs ? ["sqlite", "memory"] : [])
      print({
        bench: "retrieval",
        ratio: `earmark ${kind} / langchain`,
        ...ratios(found.get(`earmark ${kind}`)!, theirs!),
      })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
