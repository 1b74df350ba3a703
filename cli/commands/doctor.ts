import type { Command } from "commander"
import { runChecks } from "../doctor/checks.ts"
import type { Finding } from "../doctor/finding.ts"
import { printResult } from "../output.ts"

const MARK = { ok: "✓", warn: "!", error: "✗" } as const

const text = (list: readonly Finding[]): string => {
  const width = Math.max(...list.map((f) => f.name.length))
  const lines = list.map((f) => {
    const fix = f.fix ? `\n${" ".repeat(width + 4)}→ ${f.fix}` : ""
    return `${MARK[f.state]} ${f.name.padEnd(width)}  ${f.detail}${fix}`
  })
  const errors = list.filter((f) => f.state === "error").length
  return `${lines.join("\n")}\n\n${errors ? `${errors} ${errors === 1 ? "problem" : "problems"} found` : "No problems found"}`
}

export const addDoctor = (program: Command): void => {
  program
    .command("doctor")
    .description("check the installation and print how to fix each problem")
    .action(async () => {
      const list = await runChecks()
      printResult({ findings: list }, () => text(list))
      if (list.some((f) => f.state === "error")) process.exitCode = 1
    })
}
