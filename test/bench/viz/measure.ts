import { closeSync, fstatSync, openSync, readSync, writeFileSync } from "node:fs"
import { cutTree } from "#lib/map/clusters/clusters.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"

const THRESHOLD = 0.35

export type MapOutput = {
  readonly coords: readonly (readonly [number, number, number])[]
  readonly labels: readonly number[]
  readonly edges: readonly (readonly [a: number, b: number, similarity: number])[]
}

/** Reads little-endian float32 rows into shared memory and scales each to unit length. */
export const readRows = (file: string, dims: number): Float32Array => {
  const from = openSync(file, "r")
  try {
    const { size } = fstatSync(from)
    if (!(dims > 0) || size === 0 || size % (4 * dims) !== 0)
      throw new Error(
        `${file} has ${size} bytes, which is not a multiple of ${dims} float32 numbers. Pass the right --dims.`,
      )
    const vectors = new Float32Array(new SharedArrayBuffer(size))
    const bytes = new Uint8Array(vectors.buffer)
    for (let at = 0; at < size; ) at += readSync(from, bytes, at, Math.min(1 << 24, size - at), at)
    for (let at = 0; at < vectors.length; at += dims) {
      let squares = 0
      for (let d = at; d < at + dims; d++) squares += vectors[d]! ** 2
      if (squares > 0) for (let d = at; d < at + dims; d++) vectors[d]! /= Math.sqrt(squares)
    }
    return vectors
  } finally {
    closeSync(from)
  }
}

/** Computes a map like the service does, on its threads, and prints one JSON line. Writes the map to `out`. */
export const measure = async (workerFile: string, file: string, dims: number, out: string | undefined) => {
  const vectors = readRows(file, dims)
  const n = vectors.length / dims
  const viz = openVizCompute({ workerFile, log: { warn: (_, message) => console.error(message) } })
  try {
    const points = { vectors, rows: n, dims, rowOf: Int32Array.from({ length: n }, (_, i) => i) }
    const started = performance.now()
    const { timings, coords, edges, merges } = await viz.compose("bench", { points, previous: null, seed: 42 })
    const composed = performance.now()
    const clusters = cutTree(merges, n, THRESHOLD)
    const cut = performance.now() - composed
    const total_ms = Math.round(performance.now() - started)
    const figures = {
      n,
      knn_ms: Math.round(timings.knn),
      umap_ms: Math.round(timings.layout),
      clusters_ms: Math.round(timings.clusters + cut),
      edges_ms: Math.round(timings.edges),
      total_ms,
      peak_rss_mb: Math.round(process.resourceUsage().maxRSS / 1024),
    }
    console.log(JSON.stringify(figures))
    if (!out) return
    const triples = Array.from({ length: n }, (_, i) => [...coords.subarray(3 * i, 3 * i + 3)])
    const pairs = Array.from(edges.a, (a, i) => [a, edges.b[i], edges.similarity[i]])
    writeFileSync(out, JSON.stringify({ coords: triples, labels: [...clusters.labels], edges: pairs }))
  } finally {
    await viz.close()
  }
}
