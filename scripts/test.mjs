// npm test: brings what the tests need, builds, runs every suite, ends with one line "N passed, N failed".
// With CI=true a skipped test counts as failed; elsewhere the line before says what was skipped and why.
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buildIfStale } from "./build.mjs"
import { ensurePackages, ensureSystem, root } from "./setup.mjs"

const inCi = process.env.CI === "true"
const only = process.argv.slice(2).filter((a) => !a.startsWith("-"))

ensurePackages()
const missing = ensureSystem([
  "ffmpeg",
  "pocketsphinx_continuous",
  "flite",
  "chromium",
  "rabbitmq-server",
  "pg_ctlcluster",
  "swift-proxy-server",
])
const needs = {
  chaos: ["ffmpeg", "pocketsphinx_continuous", "rabbitmq-server"],
  integration: ["ffmpeg", "pocketsphinx_continuous", "flite", "rabbitmq-server", "pg_ctlcluster", "swift-proxy-server"],
  e2e: ["chromium", "ffmpeg", "pocketsphinx_continuous"],
}

const totals = { passed: 0, failed: 0 }
const skipped = []
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...(!process.stdout.isTTY && { NO_COLOR: "1" }) }
const bin = (name) => join(root, "node_modules/.bin", name)
const exec = (command, args) =>
  spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env,
  }).status ?? 1

const check = (name, script) => {
  console.log(`\n── ${name}`)
  const ok = exec("npm", ["run", "--silent", script]) === 0
  totals[ok ? "passed" : "failed"]++
  if (!ok) console.log(`FAILED: npm run ${script}`)
}

/** Runs a command; of one that runs beside another, what it says is held back until it has ended. */
const runSuite = (command, args, heading, beside) =>
  new Promise((resolve) => {
    const said = [Buffer.from(heading)]
    if (!beside) console.log(heading)
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", ...Array(2).fill(beside ? "pipe" : "inherit")],
      env,
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => said.push(chunk))
    child.on("close", (code) => {
      if (beside) console.log(Buffer.concat(said).toString())
      resolve(code ?? 1)
    })
  })

const suite = async (name, { beside = false } = {}) => {
  const lacking = (needs[name] ?? []).filter((p) => missing.includes(p))
  if (lacking.length) {
    skipped.push(`the ${name} suite (${lacking.join(", ")} missing)`)
    return
  }
  const dir = mkdtempSync(join(tmpdir(), "earmark-test-"))
  const report = join(dir, "report.json")
  const args = ["run", "--project", name, "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`]
  const status = await runSuite(bin("vitest"), args, `\n── ${name} tests\n`, beside)
  if (!existsSync(report)) {
    console.log(`the ${name} suite wrote no report`)
    totals.failed++
    return
  }
  const result = JSON.parse(readFileSync(report, "utf8"))
  rmSync(dir, { recursive: true })
  totals.passed += result.numPassedTests
  const files = result.testResults.filter((f) => f.status === "failed" && f.assertionResults.length === 0).length
  totals.failed += result.numFailedTests + files
  for (const file of result.testResults)
    for (const test of file.assertionResults)
      if (!["passed", "failed"].includes(test.status)) skipped.push(`${test.fullName} (${test.status})`)
  if (status !== 0 && result.numFailedTests + files === 0) {
    console.log(`the ${name} suite ended with ${status} although no test failed`)
    totals.failed++
  }
}

const wanted = (name) => only.length === 0 || only.includes(name)
if (wanted("check")) {
  check("format and lint", "format:check")
  check("dependency directions", "lint")
  check("types", "typecheck")
}
if (wanted("unit")) await suite("unit")
if (["integration", "chaos", "e2e"].some(wanted)) {
  await buildIfStale()
  // Programs that tests start are then the built ones, which are up in half the time.
  env.EARMARK_TEST_BUILT = "1"
}
if (wanted("integration")) await suite("integration")
// Faults are mostly waited for, leases above all: pages are tried meanwhile.
await Promise.all([wanted("e2e") && suite("e2e"), wanted("chaos") && suite("chaos", { beside: wanted("e2e") })])

if (skipped.length) console.log(`\nskipped: ${skipped.join("; ")}`)
if (inCi) totals.failed += skipped.length
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed || totals.passed === 0 ? 1 : 0)
