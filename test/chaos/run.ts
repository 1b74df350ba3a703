import { writeReport } from "./harness/report.ts"
import { runScenarios } from "./harness/runner.ts"
import { SCENARIOS } from "./scenarios/index.ts"

/**
 * Faults as a suite: `npm run chaos` runs every scenario, `npm run chaos -- r1 r9` some of them; `--short` with small
 * numbers. What was seen is written into docs/reliability.md, but for the short form.
 */
const args = process.argv.slice(2).map((a) => a.toUpperCase())
const short = args.includes("--SHORT")
const wanted = args.filter((a) => !a.startsWith("--"))
const unknown = wanted.filter((id) => !SCENARIOS.some((s) => s.id === id))
if (unknown.length > 0) {
  console.error(`no such scenario: ${unknown.join(", ")}; there are ${SCENARIOS.map((s) => s.id).join(", ")}`)
  process.exit(2)
}
const chosen = SCENARIOS.filter((s) => wanted.length === 0 || wanted.includes(s.id))
const results = await runScenarios(chosen, { short, say: console.log })
if (!short) writeReport(results)
const failed = results.filter((r) => r.failures.length > 0)
console.log(`${results.length - failed.length} passed, ${failed.length} failed`)
process.exit(failed.length > 0 ? 1 : 0)
