import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { mergeTree } from "../clusters/clusters.ts"
import { nearestNeighbours } from "../neighbors/knn.ts"
import { openSearch } from "../neighbors/search.ts"
import { bundleWorker } from "../testing/worker-file.ts"
import type { ComposeRequest, VizCompute } from "../types.ts"
import { compose } from "./compute.ts"
import { openVizCompute } from "./pool.ts"

let bundle: Awaited<ReturnType<typeof bundleWorker>>
let viz: VizCompute | null = null
const warnings: string[] = []
const log = { warn: (_: object, message: string) => void warnings.push(message) }
const open = (file = bundle.file) => {
  viz = openVizCompute({ workerFile: file, log })
  return viz
}

beforeAll(async () => {
  bundle = await bundleWorker()
})
afterEach(async () => {
  await viz?.close()
  warnings.length = 0
})
afterAll(() => bundle.remove())

const request = (n: number, seed = 1, dims = 24): ComposeRequest => {
  const vectors = new Float32Array(new SharedArrayBuffer(4 * n * dims))
  vectors.set(syntheticVectors(n, dims, seed).vectors)
  return {
    points: { vectors, rows: n, dims, rowOf: Int32Array.from({ length: n }, (_, i) => i) },
    places: null,
    seed: 5,
  }
}
const refitRequest = async (n: number) => {
  const { points, seed } = request(n)
  const { graph, coords } = await compose({ points, places: null, seed })
  return { points, graph, seed, places: { coords, known: new Uint8Array(n).fill(1) } }
}
const never = new AbortController().signal

describe("the compute thread", () => {
  it("gives what the functions give, and leaves the shared vectors alone", async () => {
    const asked = request(300)
    const got = await open().compose("a", asked)
    expect(got).toEqual({ ...(await compose(asked)), timings: got.timings })
    const { graph, coords } = got
    const places = { coords, known: new Uint8Array(300).fill(1) }
    const again = await viz!.refit("a", { points: asked.points, graph, places, seed: 5 }, never)
    expect(again.length).toBe(900)
    again.forEach((x, i) => {
      expect(x).toBeCloseTo(coords[i]!, 2)
    })
  })

  it("gives the same with a second thread and without", async () => {
    const asked = request(1200)
    const got = await open().compose("a", asked)
    expect(got).toEqual({ ...(await compose(asked)), timings: got.timings })
  })

  it("gives the same with two threads that sieve as with one", async () => {
    const asked = request(6001, 1, 384)
    const { graph, merges } = await open().compose("a", asked)
    const { points } = asked
    const search = openSearch({ vectors: points.vectors, n: points.rows, dims: points.dims })
    expect(search.sieve).not.toBeNull()
    const alone = nearestNeighbours(points.vectors, points.rows, points.dims)
    expect(graph).toEqual(alone)
    expect(merges).toEqual(mergeTree(points, alone))
  })

  it("computes equal keys once, also beside others, and anew afterwards", async () => {
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

  it("answers an impossible request with an error and goes on", async () => {
    const { points, ...rest } = request(60)
    await expect(open().compose("x", { ...rest, points: { ...points, rows: -1 } })).rejects.toMatchObject({
      code: "internal",
    })
    expect((await viz!.compose("y", request(50))).coords).toHaveLength(150)
  })

  it("drops what is aborted, waiting or running, and computes the rest", async () => {
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

  it("says so when the thread dies, and has a new one for what waits", async () => {
    const file = join(bundle.dir, "dies-once.js")
    // Dies on the first task of its kind in this process, then works.
    writeFileSync(
      file,
      `import { existsSync, writeFileSync } from "node:fs"
if (!existsSync(${JSON.stringify(join(bundle.dir, "died"))})) {
  writeFileSync(${JSON.stringify(join(bundle.dir, "died"))}, "")
  throw new Error("out of memory")
}
await import("./viz-worker.js")`,
    )
    open(file)
    const lost = viz!.compose("a", request(40))
    const next = viz!.compose("b", request(41))
    await expect(lost).rejects.toMatchObject({ code: "unavailable", retry: "retry" })
    expect((await next).coords).toHaveLength(123)
    expect(warnings).toHaveLength(1)
  })

  it("says what to do when the worker file is missing", async () => {
    await expect(open(join(bundle.dir, "nothing.js")).compose("a", request(5))).rejects.toThrow(/npm run build/)
  })

  it("ends what runs and waits when it is closed, and takes nothing more", async () => {
    open()
    const both = [viz!.compose("a", request(1500)), viz!.compose("b", request(10))]
    const settled = Promise.allSettled(both)
    await viz!.close()
    for (const one of await settled) expect(one).toMatchObject({ status: "rejected", reason: { code: "unavailable" } })
    await expect(viz!.compose("c", request(5))).rejects.toMatchObject({ code: "unavailable" })
  })
})
