import type { Installation } from "#lib/domain/installation.ts"
import { STAGE_NAMES, STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import type { StageName } from "#lib/domain/jobs/stages.ts"

type Worker = Installation["workers"][number]

/** Workers of one host with the same version and the same stages. */
export type WorkerPool = Pick<Worker, "host" | "version" | "stages"> & {
  readonly workers: number
  /** When one of them last started or finished a stage. */
  readonly active_at: string | null
}

/** Groups workers by host, version and stages. Sorts by host name. */
export const groupWorkers = (workers: readonly Worker[]): WorkerPool[] => {
  const pools = new Map<string, WorkerPool>()
  for (const { host, version, stages, active_at } of workers) {
    const key = JSON.stringify([host, version, stages])
    const pool = pools.get(key) ?? { host, version, stages, workers: 0, active_at: null }
    pools.set(key, { ...pool, workers: pool.workers + 1, active_at: getLater(pool.active_at, active_at) })
  }
  return [...pools.values()].sort((a, b) => a.host.localeCompare(b.host, "en", { numeric: true }))
}

const getLater = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && Date.parse(b) > Date.parse(a)) ? b : a

/** Returns the versions of all workers if they differ, otherwise an empty list. */
export const findMixedVersions = (workers: readonly Pick<Worker, "version">[]): string[] => {
  const versions = [...new Set(workers.map(({ version }) => version ?? "an unknown version"))].sort()
  return versions.length > 1 ? versions : []
}

/** Names the stages, or the stages left out if they are fewer. */
export const describeStages = (stages: readonly StageName[]): string => {
  const titles = (taken: boolean) =>
    STAGE_NAMES.filter((name) => stages.includes(name) === taken).map((name) => STAGE_TABLE[name].label)
  const excluded = titles(false)
  if (excluded.length === 0) return "every stage"
  return excluded.length < STAGE_NAMES.length / 2
    ? `every stage except ${excluded.map((title) => `“${title}”`).join(", ")}`
    : titles(true).join(", ")
}
