export type ModelRegistryOptions = {
  /** The folder that contains one folder per model. */
  readonly dir: string
  /** True if downloads are forbidden. */
  readonly offline: boolean
  /** Replaces scheme and host of every download URL. */
  readonly mirror: string | undefined
  readonly proxy: string | undefined
  /** The time without data after which a connection is replaced. Tests shorten it. */
  readonly idleMs?: number
  /** The delay before the first retry. Tests shorten it. */
  readonly pauseMs?: number
}

export type PullOptions = {
  readonly signal: AbortSignal
  /** Receives downloaded and total bytes. */
  readonly progress: (done: number, total: number) => void
  /** Called once if another process is already downloading the model. The pull then waits for that process. */
  readonly waiting?: () => void
}

export type ModelState = {
  readonly name: string
  readonly use: string
  readonly purpose: string
  readonly bytes: number
  /** Bytes of a download that is in progress or was interrupted. */
  readonly fetched_bytes: number
  /** True while a running process downloads the model. */
  readonly fetching: boolean
  /** The error of the last download; null if it succeeded or there was none. */
  readonly failure: string | null
  readonly languages: readonly string[] | null
  readonly licence: string
  /** `partial`: an incomplete download. `own`: a folder that is not in the catalog. */
  readonly state: "absent" | "partial" | "present" | "own"
}

/** The state of a model that a model server pulls. */
export type ModelPull = {
  readonly isRunning: boolean
  readonly done: number
  readonly total: number
  /** Why the pull failed, or null. */
  readonly problem: string | null
}
