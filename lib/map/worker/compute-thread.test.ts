import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { buildMergeTree } from "../clusters/clusters.ts"
import { findNeighbors } from "../neighbors/nearest-neighbors.ts"
import { createPairSearch } from "../neighbors/pair-search.ts"
import { bundleWorker } from "../testing/bundle-worker.ts"
import type { ComposeRequest, VizCompute } from "../types.ts"
import { composeMap } from "./compute.ts"
import { openVizCompute } from "./compute-thread.ts"

let workerFile: string
let dir: string
let viz: VizCompute | null = null
const warnings: string[] = []
const log = { warn: (_: object, message: string) => void warnings.push(message) }
const open = (file = workerFile) => {
  viz = openVizCompute({ workerFile: file, log })
  return viz
}

beforeAll(async () => {
  workerFile = await bundleWorker()
  dir = mkdtempSync(join(tmpdir(), "earmark-compute-"))
})
afterEach(async () => {
  await viz?.close()
  warnings.length = 0
})
afterAll(() => rmSync(dir, { recursive: true }))

const request = (n: number, seed = 1, dims = 24): ComposeRequest => {
  const vectors = new Float32Array(new SharedArrayBuffer(4 * n * dims))
  vectors.set(syntheticVectors(n, dims, seed).vectors)
  return {
    points: { vectors, rows: n, dims, rowOf: Int32Array.from({ length: n }, (_, i) => i) },
    previous: null,
    seed: 5,
  }
}
const refitRequest = async (n: number) => {
  const { points, seed } = request(n)
  const { graph, coords } = await composeMap({ points, previous: null, seed })
  return { points, graph, seed, previous: { coords, known: new Uint8Array(n).fill(1) } }
}
const neverAborted = new AbortController().signal

describe("compute thread", () => {
  it("returns the same results as the functions and does not change the vectors", async () => {
    const asked = request(300)
    const got = await open().compose("a", asked)
    expect(got).toEqual({ ...(await composeMap(asked)), timings: got.timings })
    const { graph, coords } = got
    const previous = { coords, known: new Uint8Array(300).fill(1) }
    const again = await viz!.refit("a", { points: asked.points, graph, previous, seed: 5 }, neverAborted)
    expect(again.length).toBe(900)
    again.forEach((x, i) => {
      expect(x).toBeCloseTo(coords[i]!, 2)
    })
  })

  it("returns the same result with a second thread", async () => {
    const asked = request(1200)
    const got = await open().compose("a", asked)
    expect(got).toEqual({ ...(await composeMap(asked)), timings: got.timings })
  })

  it("returns the same neighbors with a filter on two threads", async () => {
    const asked = request(6001, 1, 384)
    const { graph, merges } = await open().compose("a", asked)
    const { points } = asked
    const search = createPairSearch({ vectors: points.vectors, n: points.rows, dims: points.dims })
    expect(search.filter).not.toBeNull()
    const expected = findNeighbors(points.vectors, points.rows, points.dims)
    expect(graph).toEqual(expected)
    expect(merges).toEqual(buildMergeTree(points, expected))
  })

  it("shares one computation between concurrent requests with the same key", async () => {
    open()
    const [a, b, c] = await Promise.all([
      viz!.compose("a", request(60)),
      viz!.compose("b", request(61)),
      viz!.compose("a", request(60)),
    ])
    expect(c).toBe(a)
    expect(b.coords).toHaveLength(183)
    expect(await viz!.compose("a", request(60))).not.toBe(a)
  })

  it("rejects an invalid request and continues with the next", async () => {
    const { points, ...rest } = request(60)
    await expect(open().compose("x", { ...rest, points: { ...points, rows: -1 } })).rejects.toMatchObject({
      code: "internal",
    })
    expect((await viz!.compose("y", request(50))).coords).toHaveLength(150)
  })

  it("cancels waiting and running requests and computes the others", async () => {
    open()
    const [running, waiting] = [new AbortController(), new AbortController()]
    const reason = new Error("newer topics")
    const [large, small] = [await refitRequest(1500), await refitRequest(50)]
    const first = viz!.refit("r", large, running.signal)
    const second = viz!.refit("w", small, waiting.signal)
    const third = viz!.compose("c", request(50))
    waiting.abort(reason)
    running.abort(reason)
    await expect(first).rejects.toBe(reason)
    await expect(second).rejects.toBe(reason)
    expect((await third).coords).toHaveLength(150)
    await expect(viz!.refit("r", await refitRequest(20), running.signal)).rejects.toBe(reason)
    expect(warnings).toEqual([])
  })

  it("rejects the running request when the thread crashes and runs waiting ones on a new thread", async () => {
    const file = join(dir, "crashes-once.js")
    // Crashes when it is loaded for the first time.
    writeFileSync(
      file,
      `import { existsSync, writeFileSync } from "node:fs"
if (!existsSync(${JSON.stringify(join(dir, "crashed"))})) {
  writeFileSync(${JSON.stringify(join(dir, "crashed"))}, "")
  throw new Error("out of memory")
}
await import(${JSON.stringify(workerFile)})`,
    )
    open(file)
    const interrupted = viz!.compose("a", request(40))
    const next = viz!.compose("b", request(41))
    await expect(interrupted).rejects.toMatchObject({ code: "unavailable", retry: "retry" })
    expect((await next).coords).toHaveLength(123)
    expect(warnings).toHaveLength(1)
  })

  it("says how to fix a missing worker file", async () => {
    await expect(open(join(dir, "nothing.js")).compose("a", request(5))).rejects.toThrow(/npm run build/)
  })

  it("rejects running, waiting and later requests when it is closed", async () => {
    open()
    const both = [viz!.compose("a", request(1500)), viz!.compose("b", request(10))]
    const settled = Promise.allSettled(both)
    await viz!.close()
    for (const one of await settled) expect(one).toMatchObject({ status: "rejected", reason: { code: "unavailable" } })
    await expect(viz!.compose("c", request(5))).rejects.toMatchObject({ code: "unavailable" })
  })
})
