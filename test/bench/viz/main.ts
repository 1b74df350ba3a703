import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { build } from "esbuild"
import { bundleWorker } from "#lib/map/testing/bundle-worker.ts"
import { rowsOf, type Shown } from "./measure.ts"
import { adjustedRand, edgeRecall, trustworthiness } from "./quality.ts"
import { evaluationRecordings, realVectors } from "./real.ts"
import { syntheticVectors } from "./synthetic.ts"

const DIMS = 768
const SIZES = [2000, 10_000, 100_000]
const REAL_SIZES = [2000, 10_000]
/** Beyond, the rivals' matrices of all pairs do not fit the memory of a usual machine. */
const RIVAL_MOST = 20_000
/** Rows that are asked for the measures of quality. */
const ASKED = 300

/**
 * `--vectors FILE.f32 --dims N [--out FILE.json]`: one run over little-endian float32 rows, one JSON line. Without:
 * synthetic sets, and real ones of the evaluation recordings (`--data FILE.json,…`, as of `npm run eval`), each beside
 * umap-learn and scikit-learn where a python3 has them; `--sizes 2000,10000` takes fewer.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      vectors: { type: "string" },
      dims: { type: "string", default: String(DIMS) },
      out: { type: "string" },
      data: { type: "string" },
      sizes: { type: "string" },
    },
  })
  if (values.vectors !== undefined) {
    const ours = await buildOurs()
    try {
      process.stdout.write(ours.run(values.vectors, Number(values.dims), values.out))
    } finally {
      ours.remove()
    }
    return
  }
  const python = findPython()
  if (!python) console.error("No python3 with umap and sklearn here (Debian: umap-learn, python3-sklearn): no rivals.")
  const folder = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  const ours = await buildOurs()
  const sides = { folder, ours, python }
  try {
    const wanted = values.sizes?.split(",").map(Number)
    for (const n of wanted ?? SIZES) compare({ set: "synthetic", ...syntheticVectors(n, DIMS), dims: DIMS }, sides)
    const recordings = evaluationRecordings(values.data)
    if (recordings.length === 0) console.error("No evaluation recordings: give --data FILE.json,… for the real sets.")
    else
      for (const n of wanted ?? REAL_SIZES) {
        const real = await realVectors(recordings, n)
        if (real) compare({ set: "real", ...real }, sides)
        else console.error(`The recordings hold fewer than ${n} texts: no real set of that size.`)
      }
  } finally {
    ours.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Ours = Awaited<ReturnType<typeof buildOurs>>

/** Our side as a build leaves it: no compiler in the process that is measured. */
const buildOurs = async () => {
  const worker = await bundleWorker()
  const outfile = join(worker.dir, "run.js")
  const entryPoints = [join(import.meta.dirname, "run.ts")]
  await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", target: "node20" })
  const run = (file: string, dims: number, out?: string): string =>
    child(process.execPath, [outfile, worker.file, file, String(dims), ...(out ? [out] : [])])
  return { run, remove: worker.remove }
}

const findPython = (): string | null =>
  ["python3", "/usr/bin/python3"].find(
    (python) => spawnSync(python, ["-c", "import umap, sklearn"], { stdio: "ignore" }).status === 0,
  ) ?? null

type Figures = { readonly total_ms: number; readonly peak_rss_mb: number }
type Run = { readonly figures: Figures; readonly shown: Shown }
type TestSet = { readonly set: string; readonly vectors: Float32Array; readonly dims: number }

const child = (command: string, args: string[]): string => {
  const { status, stdout } = spawnSync(command, args, { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with status ${status}`)
  return stdout
}

const runOf = (stdout: string, out: string): Run => ({
  figures: JSON.parse(stdout) as Figures,
  shown: JSON.parse(readFileSync(out, "utf8")) as Shown,
})

type Sides = { readonly folder: string; readonly ours: Ours; readonly python: string | null }

const compare = ({ set, vectors, dims }: TestSet, { folder, ours: own, python }: Sides): void => {
  const n = vectors.length / dims
  const [file, out] = [join(folder, "vectors.f32"), join(folder, "shown.json")]
  writeFileSync(file, new Uint8Array(vectors.buffer))
  const ours = runOf(own.run(file, dims, out), out)
  const rows = rowsOf(file, dims)
  const quality = (shown: Shown) =>
    round(trustworthiness(rows, dims, Float32Array.from(shown.coords.flat()), 15, n / ASKED))
  const line = { set, ours: { ...ours.figures, trustworthiness: quality(ours.shown) } }
  if (!python || n > RIVAL_MOST) {
    console.log(JSON.stringify(line))
    return
  }
  const theirs = runOf(child(python, [join(import.meta.dirname, "rival.py"), file, String(dims), out]), out)
  console.log(
    JSON.stringify({
      ...line,
      theirs: { ...theirs.figures, trustworthiness: quality(theirs.shown) },
      faster: round(theirs.figures.total_ms / ours.figures.total_ms),
      memory: round(ours.figures.peak_rss_mb / theirs.figures.peak_rss_mb),
      adjusted_rand: adjustedRand(ours.shown.labels, theirs.shown.labels),
      edge_recall: round(edgeRecall(ours.shown.edges, theirs.shown.edges)),
    }),
  )
}

const round = (x: number): number => Math.round(x * 1e4) / 1e4
