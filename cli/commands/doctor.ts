import type { Command } from "commander"
import { type Finding, findings } from "../doctor/findings.ts"
import { printResult } from "../output.ts"

const MARK = { ok: "✓", warn: "!", bad: "✗" } as const

const text = (list: readonly Finding[]): string => {
  const width = Math.max(...list.map((f) => f.name.length))
  const lines = list.map((f) => {
    const mend = f.fix ? `\n${" ".repeat(width + 4)}→ ${f.fix}` : ""
    return `${MARK[f.state]} ${f.name.padEnd(width)}  ${f.detail}${mend}`
  })
  const bad = list.filter((f) => f.state === "bad").length
  return `${lines.join("\n")}\n\n${bad ? `${bad} to mend before Earmark can work` : "Earmark can work here"}`
}

export const addDoctor = (program: Command): void => {
  program
    .command("doctor")
    .description("what was found, what is missing, and the command that mends it")
    .action(async () => {
      const list = await findings()
      printResult({ findings: list }, () => text(list))
      if (list.some((f) => f.state === "bad")) process.exitCode = 1
    })
}
