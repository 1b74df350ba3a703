import type { Choice, StoredChoiceKind } from "../../../domain/installation.ts"
import type { StageName } from "../../../domain/jobs/stages.ts"

export type WorkerStatus = {
  readonly id: string
  readonly host: string
  readonly pid: number
  /** The version of the worker program; null if it is too old to report one. */
  readonly version: string | null
  readonly stages: readonly StageName[]
  readonly started_at: number
  /** When this worker last claimed or ended a stage; null if it never did. */
  readonly active_at: number | null
  readonly seen_at: number
}

/** Stores the engine choices of the installation and its running workers. */
export interface InstallationStore {
  listChoices(): Promise<Choice[]>
  /** Records a choice unless there is one of this kind. Returns the stored choice. */
  recordChoice(choice: Omit<Choice, "chosen_at">): Promise<Choice>
  /** Overwrites a choice, or removes it if `choice` is null. */
  setChoice(kind: StoredChoiceKind, choice: { value: string; reason: string } | null): Promise<void>
  recordHeartbeat(worker: Omit<WorkerStatus, "seen_at">): Promise<void>
  /** Removes the row of a worker that stops. */
  deregisterWorker(id: string): Promise<void>
  /** Lists the workers that sent a heartbeat within `aliveWithinMs`. */
  listWorkers(p: { aliveWithinMs: number }): Promise<WorkerStatus[]>
}
