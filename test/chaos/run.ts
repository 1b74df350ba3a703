import { writeReport } from "./harness/report.ts"
import { type Result, runScenarios } from "./harness/runner.ts"
import type { Setup } from "./harness/scenario.ts"
import { SCENARIOS } from "./scenarios/index.ts"

/**
 * `npm run chaos` runs every chaos scenario, `npm run chaos -- r1 r9` some of them. `--store sqlite|postgres` and
 * `--broker embedded|rabbitmq` choose among the stores and brokers of each, `--short` runs them with small numbers. Without
 * `--short` it writes the results into docs/reliability.md as each scenario ends.
 */
const STORES: readonly Setup["store"][] = ["sqlite", "postgres"]
const BROKERS: readonly Setup["broker"][] = ["embedded", "rabbitmq"]
/**
 * Options of single scenarios, such as `hostile --files 500 --seed 1`, `requests --runs 10000 --endpoints /clips,/query` or
 * `random --seconds 600 --seed 1..5`.
 */
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
const exitWith = (message: string): never => {
  console.error(message)
  process.exit(2)
}
/** Returns the value of an option that names a store or broker, or null if it is not given. */
const chosenName = (option: string, names: readonly string[]): string | null => {
  if (!args.includes(option)) return null
  const name = (args[args.indexOf(option) + 1] ?? "").toLowerCase()
  return names.includes(name)
    ? name
    : exitWith(`There is no ${option.slice(2).toLowerCase()} '${name}'. Use ${names.join(" or ")}.`)
}
const short = args.includes("--SHORT")
const store = chosenName("--STORE", STORES)
const broker = chosenName("--BROKER", BROKERS)
const endpoints = args.includes("--ENDPOINTS")
  ? (args[args.indexOf("--ENDPOINTS") + 1] ?? "").toLowerCase().split(",")
  : []
const WITH_VALUE = ["--STORE", "--BROKER", "--ENDPOINTS", ...NUMBERS]
const wanted = args.filter((a, i) => !a.startsWith("--") && !WITH_VALUE.includes(args[i - 1] ?? ""))
const unknown = wanted.filter((id) => !SCENARIOS.some((s) => s.id === id))
if (unknown.length > 0)
  exitWith(`There is no scenario ${unknown.join(", ")}. Use ${SCENARIOS.map((s) => s.id).join(", ")}.`)
// Exit normally, so that exit handlers stop the RabbitMQ of a scenario.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130))

const chosen = SCENARIOS.filter((s) => wanted.length === 0 || wanted.includes(s.id)).map((s) => ({
  ...s,
  setups: s.setups.filter(
    (setup) => (store === null || setup.store === store) && (broker === null || setup.broker === broker),
  ),
}))
const ended = short ? () => undefined : (result: Result) => writeReport([result])
const results = await runScenarios(chosen, { short, options, endpoints, say: console.log, ended })
const failed = results.filter((r) => r.failures.length > 0)
console.log(`${results.length - failed.length} passed, ${failed.length} failed`)
process.exit(failed.length > 0 ? 1 : 0)
