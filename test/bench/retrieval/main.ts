import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { packageRoot } from "#lib/platform/package-root.ts"
import { median, printResult, round } from "../report.ts"
import { measureQuality, type Quality, type RetrievalSet, readSet, writeDocs } from "./data.ts"
import { installRival, openEarmark, openRival, type Pipeline } from "./pipelines.ts"

const ROUNDS = 3

type Measurement = Quality & { readonly files_per_s: number; readonly ms_per_query: number }
type Runner = { readonly name: string; open(round: number): Promise<Pipeline> }

const timeMs = async (work: () => Promise<void>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** Runs the pipelines in turn in every round, so that other load affects all of them. @returns the medians of the rounds */
const measure = async (set: RetrievalSet, runners: readonly Runner[]): Promise<Map<string, Measurement>> => {
  const times = new Map(runners.map(({ name }) => [name, { ingest: [] as number[], query: [] as number[] }]))
  const quality = new Map<string, Quality>()
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, open } of runners) {
      const pipeline = await open(round)
      const { ingest, query } = times.get(name)!
      ingest.push(await timeMs(() => pipeline.ingest()))
      await pipeline.find(set.queries[0]!.text)
      const ranked: string[][] = []
      query.push(
        await timeMs(async () => {
          for (const { text } of set.queries) ranked.push(await pipeline.find(text))
        }),
      )
      quality.set(name, measureQuality(set, ranked))
      await pipeline.close()
    }
  return new Map(
    runners.map(({ name }) => {
      const { ingest, query } = times.get(name)!
      const { ndcg10, recall10 } = quality.get(name)!
      return [
        name,
        {
          ndcg10: round(ndcg10, 4),
          recall10: round(recall10, 4),
          files_per_s: round((1000 * set.docs.length) / median(ingest), 1),
          ms_per_query: round(median(query) / set.queries.length),
        },
      ]
    }),
  )
}

const ratios = (ours: Measurement, theirs: Measurement) => ({
  ndcg10: round(ours.ndcg10 / theirs.ndcg10),
  recall10: round(ours.recall10 / theirs.recall10),
  files_per_s: round(ours.files_per_s / theirs.files_per_s),
  ms_per_query: round(ours.ms_per_query / theirs.ms_per_query),
})

/**
 * Compares document search with a LangChain.js pipeline that uses the same embedder. `--data DIR` contains docs.json and
 * queries.json (test/bench/retrieval/data/README.md); `--docs FILE` and `--queries FILE` name them individually. The first
 * run installs LangChain.js into its own folder. If that fails, only Earmark is measured.
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
  const failure = installRival()
  if (failure !== null) console.error(`Couldn't install LangChain.js, so only Earmark is measured: ${failure}`)
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "earmark-bench-")))
  try {
    const docs = join(dir, "docs")
    writeDocs(docs, set)
    const earmark = (kind: "sqlite" | "memory"): Runner => ({
      name: `earmark ${kind}`,
      open: (round) => openEarmark(docs, join(dir, `${kind}-${round}`), kind),
    })
    const rival = failure === null ? [{ name: "langchain", open: () => openRival(docs) }] : []
    const results = await measure(set, [earmark("sqlite"), earmark("memory"), ...rival])
    for (const [name, figures] of results)
      printResult({ bench: "retrieval", name, docs: set.docs.length, queries: set.queries.length, ...figures })
    const theirs = results.get("langchain")
    for (const kind of theirs ? ["sqlite", "memory"] : [])
      printResult({
        bench: "retrieval",
        ratio: `earmark ${kind} / langchain`,
        ...ratios(results.get(`earmark ${kind}`)!, theirs!),
      })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
