import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { resolveChildProgram, resolvePackageFile } from "./child-program.ts"

/**
 * Starts a worker thread: `dist/<name>.js`, or its source next to the module `from` if Earmark runs from source.
 * @throws AppError if it was not built
 */
export const startThread = (name: string, source: string, from: string, workerData: unknown): Worker => {
  const { file, execArgv } = resolveChildProgram(name, source, from)
  if (execArgv.length === 0) return new Worker(file, { workerData })
  // From source: `--import tsx` has no effect on the modules of a thread.
  const tsx = pathToFileURL(resolvePackageFile("tsx/esm/api", from).replace(/\.cjs$/, ".mjs")).href
  const start = `import("${tsx}").then(({ register }) => { register(); return import("${pathToFileURL(file).href}") })`
  return new Worker(start, { workerData, eval: true, execArgv: [] })
}
