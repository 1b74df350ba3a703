import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "#lib/platform/package-root.ts"
import type { Result } from "./runner.ts"
import { namesOf } from "./scenario.ts"

const FILE = join(packageRoot(), "docs/reliability.md")
const BEGIN = "<!-- npm run chaos writes from here -->"
const END = "<!-- to here -->"
const HEAD = "| | Scenario | Store | Broker | Result | Passed |\n|---|---|---|---|---|---|\n"

/** Returns the ID, store and broker of a row. */
const keyOf = (row: string): string => {
  const [, id, , store, broker] = row.split("|").map((cell) => cell.trim())
  return [id, store, broker].join()
}
const orderOf = (row: string): number => {
  const id = row.split("|")[1]!.trim()
  return /^R\d/.test(id) ? Number(id.slice(1)) : id === "W" ? 100 : 200
}

const rowOf = ({ scenario, setup, seen, failures, seconds }: Result): string => {
  const passed = failures.length === 0 ? "yes" : `no: ${failures.join("; ")}`
  const cells = [scenario.id, scenario.title, ...namesOf(setup), `${seen} (${Math.round(seconds)} s)`, passed]
  return `| ${cells.map((cell) => cell.replaceAll("|", "/")).join(" | ")} |`
}

/** Replaces the results of the same scenarios, stores and brokers in the report. */
export const writeReport = (results: readonly Result[]): void => {
  const text = readFileSync(FILE, "utf8")
  const [before, rest = ""] = text.split(BEGIN)
  const [table, after] = rest.split(END)
  if (table === undefined || after === undefined) throw new Error(`${FILE} has no markers around its table`)
  const kept = table.split("\n").filter((line) => /^\| [RWH]\d*/.test(line))
  const rows = new Map([...kept, ...results.map(rowOf)].map((row) => [keyOf(row), row]))
  const sorted = [...rows.values()].sort((a, b) => orderOf(a) - orderOf(b) || keyOf(a).localeCompare(keyOf(b)))
  writeFileSync(FILE, `${before}${BEGIN}\n\n${HEAD}${sorted.join("\n")}\n\n${END}${after}`)
}
