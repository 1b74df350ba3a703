import type { Installation } from "#lib/domain/installation.ts"
import { STAGE_NAMES, STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import type { StageName } from "#lib/domain/jobs/stages.ts"

type Worker = Installation["workers"][number]

/** Workers of one host that take the same stages by the same version of the program. */
export type WorkerPool = Pick<Worker, "host" | "version" | "stages"> & {
  readonly workers: number
  /** When one of them last began or ended a stage. */
  readonly active_at: string | null
}

/** Hosts in order of their names. */
export const groupWorkers = (workers: readonly Worker[]): WorkerPool[] => {
  const crews = new Map<string, WorkerPool>()
  for (const { host, version, stages, active_at } of workers) {
    const key = JSON.stringify([host, version, stages])
    const crew = crews.get(key) ?? { host, version, stages, workers: 0, active_at: null }
    crews.set(key, { ...crew, workers: crew.workers + 1, active_at: getLater(crew.active_at, active_at) })
  }
  return [...crews.values()].sort((a, b) => a.host.localeCompare(b.host, "en", { numeric: true }))
}

const getLater = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && Date.parse(b) > Date.parse(a)) ? b : a

/** The versions at work when there are several. */
export const findMixedVersions = (workers: readonly Pick<Worker, "version">[]): string[] => {
  const versions = [...new Set(workers.map(({ version }) => version ?? "an older one"))].sort()
  return versions.length > 1 ? versions : []
}

/** What is taken, or the little that is not. */
export const describeStages = (stages: readonly StageName[]): string => {
  const titles = (taken: boolean) =>
    STAGE_NAMES.filter((name) => stages.includes(name) === taken).map((name) => STAGE_TABLE[name].label)
  const left = titles(false)
  if (left.length === 0) return "every stage"
  return left.length < STAGE_NAMES.length / 2 ? `every stage but ${left.join(", ")}` : titles(true).join(", ")
}
