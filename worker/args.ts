import { parseArgs } from "node:util"
import { AppError } from "../lib/domain/errors.ts"
import { STAGE_NAMES, type StageName, stageName } from "../lib/domain/jobs/stages.ts"

/** The stages this worker takes: `--stages a,b`, all when left out. @throws AppError `invalid` naming a wrong one */
export const stagesOf = (argv: readonly string[]): StageName[] => {
  let given: string | undefined
  try {
    given = parseArgs({ args: [...argv], options: { stages: { type: "string" } } }).values.stages
  } catch (cause) {
    throw new AppError("invalid", "A worker takes one option: --stages with names parted by commas.", { cause })
  }
  if (given === undefined) return [...STAGE_NAMES]
  const names = given
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean)
  const wrong = names.find((name) => !stageName.safeParse(name).success)
  if (wrong !== undefined || names.length === 0)
    throw new AppError("invalid", `--stages: '${wrong ?? ""}' is no stage; stages are ${STAGE_NAMES.join(", ")}.`)
  return STAGE_NAMES.filter((name) => names.includes(name))
}
