import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { build } from "esbuild"
import { bundleWorker } from "#lib/map/testing/bundle-worker.ts"
import { type MapOutput, readRows } from "./measure.ts"
import { adjustedRand, edgeRecall, trustworthiness } from "./quality.ts"
import { embedRecordings, readEvaluationRecordings } from "./real.ts"
import { syntheticVectors } from "./synthetic.ts"

const DIMS = 768
const SIZES = [2000, 10_000, 100_000]
const REAL_SIZES = [2000, 10_000]
/** The references build matrices of all pairs, which need too much memory for more rows. */
const MAX_REFERENCE_ROWS = 20_000
/** Rows that trustworthiness is measured on. */
const SAMPLE_ROWS = 300

/**
 * Measures the computation of maps. Prints one JSON line per data set.
 *
 * With `--vectors FILE.f32 --dims N [--out FILE.json]`, measures one file of little-endian float32 rows. Otherwise
 * measures synthetic sets and sets from evaluation recordings (`--data FILE.json,…`, as for `npm run eval`, or the folder
 * EVAL_DATA), and compares them with umap-learn and scikit-learn if a python3 has both. `--sizes 2000,10000` selects the sizes.
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
    const program = await buildProgram()
    process.stdout.write(program.run(values.vectors, Number(values.dims), values.out))
    return
  }
  const python = findPython()
  if (!python)
    console.error("No comparison: no python3 has umap and sklearn (Debian packages umap-learn and python3-sklearn).")
  const folder = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  const program = await buildProgram()
  const setup = { folder, program, python }
  try {
    const sizes = values.sizes?.split(",").map(Number)
    for (const n of sizes ?? SIZES) compare({ set: "synthetic", ...syntheticVectors(n, DIMS), dims: DIMS }, setup)
    const recordings = readEvaluationRecordings(values.data)
    if (recordings.length === 0)
      console.error(
        "No real sets: pass evaluation recordings with --data FILE.json,… or set EVAL_DATA to their folder.",
      )
    else
      for (const n of sizes ?? REAL_SIZES) {
        const real = await embedRecordings(recordings, n)
        if (real) compare({ set: "real", ...real }, setup)
        else console.error(`No real set of ${n}: the recordings contain fewer texts.`)
      }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Program = Awaited<ReturnType<typeof buildProgram>>

/** Bundles the measured program, so that its time and memory include no compiler. */
const buildProgram = async () => {
  const workerFile = await bundleWorker()
  // Inside the package, where the program finds optional packages.
  const outfile = join(dirname(workerFile), "run.js")
  const entryPoints = [join(import.meta.dirname, "run.ts")]
  await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", target: "node20" })
  const run = (file: string, dims: number, out?: string): string =>
    runChild(process.execPath, [outfile, workerFile, file, String(dims), ...(out ? [out] : [])])
  return { run }
}

const findPython = (): string | null =>
  ["python3", "/usr/bin/python3"].find(
    (python) => spawnSync(python, ["-c", "import umap, sklearn"], { stdio: "ignore" }).status === 0,
  ) ?? null

type Figures = { readonly total_ms: number; readonly peak_rss_mb: number }
type Run = { readonly figures: Figures; readonly map: MapOutput }
type TestSet = { readonly set: string; readonly vectors: Float32Array; readonly dims: number }

const runChild = (command: string, args: string[]): string => {
  const { status, stdout } = spawnSync(command, args, { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} exited with status ${status}`)
  return stdout
}

const readRun = (stdout: string, out: string): Run => ({
  figures: JSON.parse(stdout) as Figures,
  map: JSON.parse(readFileSync(out, "utf8")) as MapOutput,
})

type Setup = { readonly folder: string; readonly program: Program; readonly python: string | null }

const compare = ({ set, vectors, dims }: TestSet, { folder, program, python }: Setup): void => {
  const n = vectors.length / dims
  const [file, out] = [join(folder, "vectors.f32"), join(folder, "map.json")]
  writeFileSync(file, new Uint8Array(vectors.buffer))
  const ours = readRun(program.run(file, dims, out), out)
  const rows = readRows(file, dims)
  const measureTrustworthiness = (map: MapOutput) =>
    round(trustworthiness(rows, dims, Float32Array.from(map.coords.flat()), 15, n / SAMPLE_ROWS))
  const line = { set, ours: { ...ours.figures, trustworthiness: measureTrustworthiness(ours.map) } }
  if (!python || n > MAX_REFERENCE_ROWS) {
    console.log(JSON.stringify(line))
    return
  }
  const theirs = readRun(runChild(python, [join(import.meta.dirname, "reference.py"), file, String(dims), out]), out)
  console.log(
    JSON.stringify({
      ...line,
      theirs: { ...theirs.figures, trustworthiness: measureTrustworthiness(theirs.map) },
      faster: round(theirs.figures.total_ms / ours.figures.total_ms),
      memory: round(ours.figures.peak_rss_mb / theirs.figures.peak_rss_mb),
      adjusted_rand: adjustedRand(ours.map.labels, theirs.map.labels),
      edge_recall: round(edgeRecall(ours.map.edges, theirs.map.edges)),
    }),
  )
}

const round = (x: number): number => Math.round(x * 1e4) / 1e4
