import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { CHOICE_KINDS, listEngineChoices, setEngineChoice } from "#lib/services/installation/engine-choices.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"

export const addEngines = (program: Command): void => {
  const engines = program.command("engines").description("show or change the engines of this installation")
  engines
    .command("list", { isDefault: true })
    .description("print the chosen engines and the reasons")
    .action(async () => {
      const node = await openNode(settings(), createLogger("warn", "cli"))
      try {
        const rows = await listEngineChoices(node)
        printResult(rows, () => rows.map((r) => `${r.kind.padEnd(9)} ${r.value.padEnd(18)} ${r.reason}`).join("\n"))
      } finally {
        await node.close()
      }
    })
  engines
    .command("set <kind=value>")
    .description(`change an engine (${CHOICE_KINDS.join(", ")}); "auto" chooses again at the next start`)
    .action(async (pair: string) => {
      const [kind, value, ...rest] = pair.split("=")
      if (!kind || !value || rest.length)
        throw new AppError("invalid", "Expected kind=value, for example provider=builtin.")
      const node = await openNode(settings(), createLogger("warn", "cli"))
      try {
        const result = await setEngineChoice(node, { kind, value })
        printResult(result, () => result.detail)
      } finally {
        await node.close()
      }
    })
}
