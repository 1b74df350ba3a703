import type { VizCompute } from "../map/types.ts"
import type { Deps } from "../services/deps.ts"
import type { JobParser } from "./uploads/job-parser.ts"

/** Dependencies of the route handlers: those of the services, and those that only the web process has. */
export type HttpDeps = Deps & {
  /** Computes the map in a worker thread, which starts with the first computation. */
  readonly viz: VizCompute
  /** Parses submissions, large ones in a thread. */
  readonly parseJob: JobParser
  /** The root folder of the package. A bundled module cannot derive it from its own location. */
  readonly root: string
  /** Aborts when the process starts to shut down, to end open streams. */
  readonly stopping: AbortSignal
}

const KEY = Symbol.for("earmark.container")
const globals = globalThis as { [KEY]?: HttpDeps }

/** Stores the dependencies at startup. The routes are separate bundles, so they share them through the global object. */
export const setHttpDeps = (deps: HttpDeps): void => {
  globals[KEY] = deps
}

/** Returns the dependencies. Call it while handling a request, not when a module loads. */
export const getHttpDeps = (): HttpDeps => {
  const stored = globals[KEY]
  if (!stored) throw new Error("The routes need Earmark's HTTP server. Start it with `earmark serve`.")
  return stored
}
