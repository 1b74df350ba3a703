import { parseArgs } from "node:util"
import { AppError } from "../lib/domain/errors.ts"
import { STAGE_NAMES, type StageName, stageName } from "../lib/domain/jobs/stages.ts"

export const USAGE = `Usage: earmark-worker [--stages a,b]

Runs stages of the pipeline until it receives SIGTERM or SIGINT.

Options:
  --stages a,b  comma-separated stages to run; all if omitted
  --help        print this text

Stages: ${STAGE_NAMES.join(", ")}

Settings are environment variables or lines of .env in the working folder. The most important ones are
SERVICE_DATABASE_URL, SERVICE_BROKER_URL, SERVICE_BLOB_URL and SERVICE_DATA_DIR.
`

export type WorkerArgs = { readonly isHelp: boolean; readonly stages: StageName[] }

const parseStages = (list: string): StageName[] => {
  const names = list
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean)
  const unknown = names.find((name) => !stageName.safeParse(name).success)
  if (unknown !== undefined || names.length === 0)
    throw new AppError("invalid", `--stages: unknown stage '${unknown ?? ""}'. Stages: ${STAGE_NAMES.join(", ")}.`)
  return STAGE_NAMES.filter((name) => names.includes(name))
}

/**
 * Parses the command line. Without `--stages` the worker runs every stage.
 * @throws AppError `invalid` for an unknown option or stage
 */
export const parseWorkerArgs = (argv: readonly string[]): WorkerArgs => {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { stages: { type: "string" }, help: { type: "boolean", short: "h", default: false } },
    })
    return { isHelp: values.help, stages: values.stages === undefined ? [...STAGE_NAMES] : parseStages(values.stages) }
  } catch (cause) {
    if (AppError.is(cause)) throw cause
    throw new AppError("invalid", "Unknown option. A worker takes --stages with comma-separated names, and --help.", {
      cause,
    })
  }
}
