import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { cutTree, mergeTree } from "#lib/viz/clusters.ts"
import { nearestEdges } from "#lib/viz/edges.ts"
import { nearestNeighbours, nearestOf } from "#lib/viz/knn.ts"
import type { PointSet } from "#lib/viz/types.ts"
import { umap3d } from "#lib/viz/umap.ts"
import { neighboursKept, trustworthiness } from "./viz-quality.ts"
import { syntheticVectors } from "./viz-synthetic.ts"

const DEFAULT_SIZES = [2000, 10_000]
const DEFAULT_DIMS = 768
const THRESHOLD = 0.35
/** Rows that are asked for the measures of quality. */
const ASKED = 500

/**
 * The map's computations step by step. `--vectors FILE.f32 --dims N` takes little-endian float32 rows, `--points N` a
 * synthetic set of that size, neither runs the default sets, each in a process of its own so that memory is its own.
 * `--out FILE.json` writes {coords, labels, edges}; `--quality` adds trustworthiness and the neighbours kept.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      vectors: { type: "string" },
      dims: { type: "string", default: String(DEFAULT_DIMS) },
      points: { type: "string" },
      out: { type: "string" },
      quality: { type: "boolean", default: false },
    },
  })
  const dims = Number(values.dims)
  if (values.vectors === undefined && values.points === undefined) {
    for (const n of DEFAULT_SIZES) again([...args, "--points", String(n)])
    return
  }
  const vectors = values.vectors ? rowsOf(values.vectors, dims) : syntheticVectors(Number(values.points), dims).vectors
  const n = vectors.length / dims
  measure({ vectors, rows: n, dims, rowOf: Int32Array.from({ length: n }, (_, i) => i) }, values)
}

const again = (args: string[]): void => {
  const { status } = spawnSync(process.execPath, [...process.execArgv, process.argv[1]!, "viz", ...args], {
    stdio: "inherit",
  })
  if (status !== 0) throw new Error(`the bench with ${args.join(" ")} ended with status ${status}`)
}

const rowsOf = (file: string, dims: number): Float32Array => {
  const bytes = readFileSync(file)
  if (!(dims > 0) || bytes.length % (4 * dims) !== 0)
    throw new Error(`${file} has ${bytes.length} bytes, which are not rows of ${dims} float32: give --dims`)
  const vectors = new Float32Array(bytes.length / 4)
  new Uint8Array(vectors.buffer).set(bytes)
  for (let at = 0; at < vectors.length; at += dims) {
    const row = vectors.subarray(at, at + dims)
    const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0))
    if (length > 0) for (let d = 0; d < dims; d++) row[d]! /= length
  }
  return vectors
}

const measure = (points: PointSet, options: { readonly out?: string | undefined; readonly quality: boolean }): void => {
  const { vectors, rows: n, dims } = points
  const started = performance.now()
  const before = process.cpuUsage()
  const timed = <T>(work: () => T): [T, number] => {
    const from = performance.now()
    const result = work()
    return [result, Math.round(performance.now() - from)]
  }
  const [graph, knn_ms] = timed(() => nearestNeighbours(vectors, n, dims))
  const [coords, umap_ms] = timed(() => umap3d(vectors, n, dims, { seed: 42, knn: graph }))
  const [clusters, clusters_ms] = timed(() => cutTree(mergeTree(points, graph), n, THRESHOLD))
  const [edges, edges_ms] = timed(() => nearestEdges(points, graph))
  const total_ms = Math.round(performance.now() - started)
  const { user, system } = process.cpuUsage(before)
  // Of all threads: what a machine that is busy with other things does not lengthen.
  const cpu_ms = Math.round((user + system) / 1000)
  const peak_rss_mb = Math.round(process.resourceUsage().maxRSS / 1024)
  const step = Math.max(1, Math.floor(n / ASKED))
  const quality = options.quality
    ? {
        trustworthiness: trustworthiness(vectors, dims, coords, 15, step),
        kept: neighboursKept(nearestOf(graph, 15), coords, step),
      }
    : {}
  console.log(JSON.stringify({ n, knn_ms, umap_ms, clusters_ms, edges_ms, total_ms, cpu_ms, peak_rss_mb, ...quality }))
  if (options.out) {
    const triples = Array.from({ length: n }, (_, i) => [...coords.subarray(3 * i, 3 * i + 3)])
    const pairs = Array.from(edges.a, (a, i) => [a, edges.b[i], edges.similarity[i]])
    writeFileSync(options.out, JSON.stringify({ coords: triples, labels: [...clusters.labels], edges: pairs }))
  }
}
