export type ShelfOptions = {
  /** Folder of models, one folder each. */
  readonly dir: string
  /** Nothing is fetched. */
  readonly offline: boolean
  /** Takes the place of scheme and host of every address; paths stay. */
  readonly mirror: string | undefined
  readonly proxy: string | undefined
  /** For tests of silence. */
  readonly idleMs?: number
  readonly pauseMs?: number
}

export type PullOptions = {
  readonly signal: AbortSignal
  readonly progress: (done: number, total: number) => void
  /** Told once when another process is fetching the model, whose end is then waited for. */
  readonly waiting?: () => void
}

export type ModelState = {
  readonly name: string
  readonly use: string
  readonly purpose: string
  readonly bytes: number
  /** Of a download under way or broken off. */
  readonly fetched_bytes: number
  /** Somebody who lives fetches it now. */
  readonly fetching: boolean
  /** Why the last fetch failed; null: it did not, or there was none. */
  readonly failure: string | null
  readonly languages: readonly string[] | null
  readonly licence: string
  /** `partial`: a download was broken off. `own`: a folder that somebody put there. */
  readonly state: "absent" | "partial" | "present" | "own"
}
