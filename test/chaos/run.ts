import { writeReport } from "./harness/report.ts"
import { type Result, runScenarios } from "./harness/runner.ts"
import { ALL } from "./harness/scenario.ts"
import { SCENARIOS } from "./scenarios/index.ts"

/**
 * `npm run chaos` runs every chaos scenario, `npm run chaos -- r1 r9` some of them, `--broker embedded`,
 * `--broker rabbitmq` or `--broker postgres` those of one broker, `--short` with small numbers. Without `--short` it writes the results into
 * docs/reliability.md as each scenario ends.
 */
const NAME = "--BROKER"
/** Options of single scenarios, such as `hostile --files 500 --seed 1`, `requests --runs 10000` or `random --seconds 600 --seed 1..5`. */
const NUMBERS = ["--FILES", "--RUNS", "--SEED", "--SECONDS"]
const args = process.argv.slice(2).map((a) => a.toUpperCase())
const options = Object.fromEntries(
  NUMBERS.flatMap((name) => {
    const at = args.indexOf(name)
    if (at < 0) return []
    const key = name.slice(2).toLowerCase()
    const [first = 0, last = first] = (args[at + 1] ?? "").split("..").map(Number)
    return [
      [key, first],
      [`last_${key}`, last],
    ]
  }),
)
const short = args.includes("--SHORT")
const broker = args.includes(NAME) ? (args[args.indexOf(NAME) + 1] ?? "").toLowerCase() : null
const wanted = args.filter((a, i) => !a.startsWith("--") && ![NAME, ...NUMBERS].includes(args[i - 1] ?? ""))
const exitWith = (message: string): never => {
  console.error(message)
  process.exit(2)
}
const unknown = wanted.filter((id) => !SCENARIOS.some((s) => s.id === id))
if (unknown.length > 0)
  exitWith(`There is no scenario ${unknown.join(", ")}. Use ${SCENARIOS.map((s) => s.id).join(", ")}.`)
if (broker !== null && !ALL.some((b) => b === broker))
  exitWith(`There is no broker '${broker}'. Use ${ALL.join(" or ")}.`)
// Exit normally, so that exit handlers stop the RabbitMQ of a scenario.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130))

const chosen = SCENARIOS.filter((s) => wanted.length === 0 || wanted.includes(s.id)).map((s) => ({
  ...s,
  brokers: s.brokers.filter((b) => broker === null || b === broker),
}))
const ended = short ? () => undefined : (result: Result) => writeReport([result])
const results = await runScenarios(chosen, { short, options, say: console.log, ended })
const failed = results.filter((r) => r.failures.length > 0)
console.log(`${results.length - failed.length} passed, ${failed.length} failed`)
process.exit(failed.length > 0 ? 1 : 0)
