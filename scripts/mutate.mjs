// npm run mutate [-- module | folder | file …] [--sample N] [--seed S] [--concurrency C] [--min-score P] [--static] [--near]:
// changes the code in small ways and prints for each one if a unit test notices it. --sample tests N random mutants of each
// module, otherwise all are tested and results of unchanged code are taken from the last run. --static includes mutants that
// only run while a module is imported. --near runs only the tests in the given folders and beside the given files. Exits with 1 if a module's score is below P percent (docs/testing.md).
import { existsSync, mkdirSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { parseArgs } from "node:util"
import { Stryker } from "@stryker-mutator/core"
import { buildKernels } from "./build-kernels.mjs"
import { listSourceFiles, MODULES } from "./mutation/modules.mjs"
import { drawMutants } from "./mutation/sample.mjs"
import { ensurePackages, root } from "./setup.mjs"

/** Ignored by git. */
const FOLDER = ".mutation"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    concurrency: { type: "string", default: "1" },
    "min-score": { type: "string", default: "0" },
    static: { type: "boolean", default: false },
    near: { type: "boolean", default: false },
  },
})
const count = values.sample === undefined ? null : Number(values.sample)
const concurrency = Number(values.concurrency)
const minScore = Number(values["min-score"]) / 100
if ([count ?? 1, concurrency].some((n) => !Number.isInteger(n) || n < 1) || !(minScore >= 0 && minScore <= 1)) {
  console.error("--sample and --concurrency take whole numbers from 1, and --min-score a percentage.")
  process.exit(2)
}
const modules = positionals.length ? positionals.map((path) => path.replace(/\/+$/, "")) : MODULES
const unknown = modules.filter((path) => !existsSync(join(root, path)))
if (unknown.length) {
  console.error(`No such folder or file: ${unknown.join(", ")}. Modules: ${MODULES.join(", ")}.`)
  process.exit(2)
}

if (values.near)
  process.env.EARMARK_MUTATION_TESTS = modules
    .map((path) => (path.endsWith(".ts") ? `${dirname(path)}/*.test.ts` : `${path}/**/*.test.ts`))
    .join(",")

ensurePackages()
process.chdir(root)
await buildKernels()
mkdirSync(FOLDER, { recursive: true })

const OPTIONS = {
  testRunner: "vitest",
  vitest: { configFile: "scripts/mutation/vitest.config.ts" },
  plugins: ["@stryker-mutator/vitest-runner", join(root, "scripts/mutation/stryker-plugins.mjs")],
  coverageAnalysis: "perTest",
  ignoreStatic: !values.static,
  disableTypeChecks: false,
  tempDirName: `${FOLDER}/sandbox`,
  ignorePatterns: [".next", ".mutation", "test/e2e/pictures", "docs/pictures"],
  reporters: ["results", ...(process.stdout.isTTY ? ["progress"] : [])],
  // Mutants of a loop may never end. A busy machine may pause, which must not count as noticing the mutant.
  timeoutMS: 20_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 30,
  concurrency,
}

/** Returns the results of the mutants of files. */
const testMutants = (files, options) => new Stryker({ ...OPTIONS, mutate: files, ...options }).runMutationTest()

const NOTICED = ["Killed", "Timeout"]
const UNNOTICED = ["Survived", "NoCoverage"]

/** Returns the 95 % interval of a proportion (Wilson 1927). */
const estimateInterval = (noticed, n) => {
  const z = 1.96
  const center = (noticed + z ** 2 / 2) / (n + z ** 2)
  const half = (z / (n + z ** 2)) * Math.sqrt((noticed * (n - noticed)) / n + z ** 2 / 4)
  return [center - half, center + half]
}

const percent = (x) => `${Math.round(100 * x)} %`

const fileOf = ({ fileName }) => relative(root, fileName)

const countNoticed = (mutants) => mutants.filter(({ status }) => NOTICED.includes(status)).length

/** Prints the score of each module. */
const report = (results) => {
  const counted = results.filter(({ status }) => [...NOTICED, ...UNNOTICED].includes(status))
  const scoreOf = (name, mutants) => {
    const noticed = countNoticed(mutants)
    const [low, high] = estimateInterval(noticed, mutants.length).map(percent)
    return `${name}: ${noticed} of ${mutants.length} noticed, ${percent(noticed / mutants.length)} (${low} to ${high})`
  }
  console.log("")
  for (const name of modules) {
    const mutants = counted.filter((mutant) => fileOf(mutant).startsWith(name))
    console.log(mutants.length ? scoreOf(name, mutants) : `${name}: no mutants`)
    if (countNoticed(mutants) < minScore * mutants.length) process.exitCode = 1
  }
  if (modules.length > 1 && counted.length) console.log(scoreOf("all", counted))
}

if (count === null) {
  const results = []
  for (const name of modules)
    results.push(
      ...(await testMutants(listSourceFiles(name), {
        incremental: true,
        incrementalFile: join(FOLDER, `${name.replaceAll("/", "-")}.json`),
      })),
    )
  report(results)
} else {
  const drawn = []
  for (const name of modules) {
    const { total, sample } = await drawMutants(listSourceFiles(name), count, values.seed)
    console.log(`${name}: ${sample.length} of ${total} mutants`)
    drawn.push(...sample)
  }
  const files = [...new Set(drawn.map((mutant) => mutant.split(":")[0]))]
  report(await testMutants(files, { checkers: ["sample"], sampledMutants: drawn }))
}
