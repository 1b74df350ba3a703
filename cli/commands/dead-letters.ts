import { type Command, InvalidArgumentError } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { STAGE_NAMES, type StageName, stageName } from "#lib/domain/jobs/stages.ts"
import { createLogger } from "#lib/platform/logger.ts"
import type { DeadLetter, DeadLetterChoice } from "#lib/queue/types.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { dropDeadLetters, listDeadLetters, requeueDeadLetters } from "#lib/services/jobs/dead-letters.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"

const BODY_CHARACTERS = 100

type Flags = { stage?: StageName; limit: number }

const withNode = async (use: (node: Node) => Promise<void>): Promise<void> => {
  const node = await openNode(settings(), createLogger("warn", "cli"))
  try {
    await use(node)
  } finally {
    await node.close()
  }
}

const stageFlag = (value: string): StageName => {
  const parsed = stageName.safeParse(value)
  if (parsed.success) return parsed.data
  throw new InvalidArgumentError(`Stages: ${STAGE_NAMES.join(", ")}.`)
}

const countFlag = (value: string): number => {
  const n = Number(value)
  if (Number.isInteger(n) && n > 0) return n
  throw new InvalidArgumentError("Must be a whole number of at least 1.")
}

const line = ({ stage, id, reason, deadAt, body }: DeadLetter): string => {
  const at = deadAt === undefined ? "" : ` ${new Date(deadAt).toISOString().slice(0, 19).replace("T", " ")}`
  const text = body.length > BODY_CHARACTERS ? `${body.slice(0, BODY_CHARACTERS)}… (${body.length} characters)` : body
  return `${stage.padEnd(13)}${at}  ${id}\n  ${reason}\n  ${text}`
}

const choose = (ids: readonly string[], { stage }: Pick<Flags, "stage">): DeadLetterChoice => ({
  ...(stage && { stage }),
  ...(ids.length > 0 && { ids }),
})

const assertFound = (found: number, ids: readonly string[]): void => {
  const missing = new Set(ids).size - found
  if (missing > 0)
    throw new AppError("not_found", `${missing} of these IDs are not dead letters. Run \`earmark dead-letters list\`.`)
}

export const addDeadLetters = (program: Command): void => {
  const letters = program
    .command("dead-letters")
    .description("list, requeue and drop messages that could not be processed")
  letters
    .command("list", { isDefault: true })
    .description("list dead letters with their reasons, by stage, oldest first")
    .option("--stage <name>", "only this stage", stageFlag)
    .option("--limit <n>", "maximum number", countFlag, 50)
    .action(({ stage, limit }: Flags) =>
      withNode(async (node) => {
        const found = await listDeadLetters(node, { limit, ...(stage && { stage }) })
        printResult({ dead_letters: found }, () => found.map(line).join("\n") || "no dead letters")
      }),
    )
  letters
    .command("requeue [ids...]")
    .description("requeue the given dead letters, or all of them; messages that are still invalid return here")
    .option("--stage <name>", "only this stage", stageFlag)
    .action((ids: string[], flags: Flags) =>
      withNode(async (node) => {
        const requeued = await requeueDeadLetters(node, choose(ids, flags))
        printResult({ requeued }, () => `${requeued} requeued`)
        assertFound(requeued, ids)
      }),
    )
  letters
    .command("drop <ids...>")
    .description("delete the given dead letters; a stage that still waits for its message gets another one")
    .option("--stage <name>", "only this stage", stageFlag)
    .action((ids: string[], flags: Flags) =>
      withNode(async (node) => {
        const dropped = await dropDeadLetters(node, choose(ids, flags))
        printResult({ dropped }, () => `${dropped} dropped`)
        assertFound(dropped, ids)
      }),
    )
}
