export interface Signal {
  readonly signal?: AbortSignal
}

/** Options of a method that creates something. The client repeats a lost request with the same key. */
export interface CreateOptions extends Signal {
  /** A key of your own, so that a call that your program repeats runs once. The default is a new key for each call. */
  readonly idempotencyKey?: string
}

/** Options of a method that changes a clip. It throws a 412 if what it changes is no longer what `ifMatch` names. */
export interface EditOptions extends Signal {
  readonly ifMatch?: string
}
