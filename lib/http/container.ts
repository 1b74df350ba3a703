import type { VizCompute } from "../map/types.ts"
import type { Deps } from "../services/deps.ts"

/** What a route handler works on: the services' dependencies and what belongs to the web process alone. */
export type HttpDeps = Deps & {
  /** The map's computations; no thread runs before the first of them. */
  readonly viz: VizCompute
  /** The package's folder. A bundled module cannot find it by its own address. */
  readonly root: string
  /** Aborts when the process begins to stop: open streams end on it. */
  readonly stopping: AbortSignal
}

const KEY = Symbol.for("earmark.container")
const slots = globalThis as { [KEY]?: HttpDeps }

/** Called once by the front. The routes are bundles of their own: the global object is what they share with it. */
export const setHttpDeps = (container: HttpDeps): void => {
  slots[KEY] = container
}

/** For route handlers only, at request time. */
export const deps = (): HttpDeps => {
  const container = slots[KEY]
  if (!container) throw new Error("Earmark's routes run behind its own front: start the service with `earmark serve`")
  return container
}
