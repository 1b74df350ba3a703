// npm test [suite …]: installs what the tests need, builds, and runs every suite or the named ones (check, unit,
// integration, chaos, e2e). The last line of the output is "N passed, N failed". With CI=true a skipped test counts as
// failed. Otherwise the line before the last lists skipped tests with their reasons.
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isBuildStale } from "./build.mjs"
import { ensurePackagesAhead, ensureSystem, root } from "./setup.mjs"

const PROGRAMS = {
  integration: [
    "ffmpeg",
    "pocketsphinx_continuous",
    "flite",
    "rabbitmq-server",
    "pg_ctlcluster",
    "swift-proxy-server",
    "nginx",
    "caddy",
    "curl",
    "python3",
  ],
  chaos: ["ffmpeg", "pocketsphinx_continuous", "rabbitmq-server"],
  e2e: ["ffmpeg", "pocketsphinx_continuous", "chromium-headless-shell", "curl", "python3-requests"],
}
const BUILT_SUITES = Object.keys(PROGRAMS)

const isCi = process.env.CI === "true"
const named = process.argv.slice(2).filter((a) => !a.startsWith("-"))
const isWanted = (name) => named.length === 0 || named.includes(name)
const wantedSuites = BUILT_SUITES.filter(isWanted)

const totals = { passed: 0, failed: 0 }
const skipped = []
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...(!process.stdout.isTTY && { NO_COLOR: "1" }) }

const started = Date.now()
const log = (line) => console.log(`[${Math.round((Date.now() - started) / 1000)} s] ${line}`)

/** Runs a command and prints its output when it has ended, so that the output of parallel commands does not mix. */
const run = (name, command, args) =>
  new Promise((resolve) => {
    log(`${name} started`)
    const output = []
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env })
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk))
    child.on("close", (code) => {
      log(`${name} ended\n${Buffer.concat(output)}`)
      resolve(code ?? 1)
    })
  })

const check = async (name, script, ...args) => {
  const isPassed = (await run(name, "npm", ["run", "--silent", script, "--", ...args])) === 0
  totals[isPassed ? "passed" : "failed"]++
  if (!isPassed) console.log(`FAILED: npm run ${script}`)
}

/** @param niceness how much of the processor the suite leaves to others, as for the program `nice` */
const suite = async (name, missing, niceness = 0) => {
  const lacking = (PROGRAMS[name] ?? []).filter((p) => missing.includes(p))
  if (lacking.length) {
    skipped.push(`the ${name} suite (${lacking.join(", ")} missing)`)
    return
  }
  const dir = mkdtempSync(join(tmpdir(), "earmark-test-"))
  const report = join(dir, "report.json")
  const args = ["run", "--project", name, "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`]
  const vitest = join(root, "node_modules/.bin/vitest")
  const status = await run(`${name} tests`, "nice", ["-n", String(niceness), vitest, ...args])
  const result = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null
  rmSync(dir, { recursive: true })
  if (!result) {
    console.log(`the ${name} suite wrote no report`)
    totals.failed++
    return
  }
  totals.passed += result.numPassedTests
  const brokenFiles = result.testResults.filter((f) => f.status === "failed" && f.assertionResults.length === 0).length
  totals.failed += result.numFailedTests + brokenFiles
  for (const file of result.testResults)
    for (const test of file.assertionResults)
      if (!["passed", "failed"].includes(test.status)) skipped.push(`${test.fullName} (${test.status})`)
  if (status !== 0 && result.numFailedTests + brokenFiles === 0) {
    console.log(`the ${name} suite exited with ${status} although no test failed`)
    totals.failed++
  }
}

// System programs are installed in the background: packages, checks, unit tests and the build do not need them.
const installing = ensureSystem([...new Set(wantedSuites.flatMap((name) => PROGRAMS[name]))])
// Checks and the build load no native modules.
const compiling = ensurePackagesAhead().then(() => log("packages installed"))

if (isWanted("check"))
  // The type check runs before the build, which writes .next/types. Several checkers would check shared types repeatedly.
  await Promise.all([
    check("type check", "typecheck", "--checkers", "1"),
    check("format and lint", "format:check").then(() => check("dependency directions", "lint")),
  ])
const build = async () => {
  if (wantedSuites.length === 0 || !isBuildStale()) return
  if ((await run("build", process.execPath, [join(root, "scripts/build.mjs")])) !== 0) process.exit(1)
}
// Chaos and browser tests check times, but wait most of the time, for leases and for pages. The other suites use the
// processor meanwhile, at a priority that does not delay them.
const NICENESS = { unit: 10, integration: 10 }
const testUnits = async () => {
  await compiling
  if (isWanted("unit")) await suite("unit", [], NICENESS.unit)
}
const testBuild = async () => {
  const [missing] = await Promise.all([installing, build(), compiling])
  // Tests start the built programs, which are ready in half the time of the sources.
  env.EARMARK_TEST_BUILT = "1"
  await Promise.all(wantedSuites.map((name) => suite(name, missing, NICENESS[name])))
}
await Promise.all([testUnits(), testBuild()])

if (skipped.length) console.log(`\nskipped: ${skipped.join("; ")}`)
if (isCi) totals.failed += skipped.length
log("all suites ended")
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed || totals.passed === 0 ? 1 : 0)
