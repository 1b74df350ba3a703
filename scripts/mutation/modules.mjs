// The modules whose unit tests `npm run mutate` checks, and their source files.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { root } from "../setup.mjs"

export const MODULES = [
  "lib/pipeline",
  "lib/storage/stores",
  "lib/queue",
  "lib/domain/topics",
  "lib/domain/export",
  "lib/api",
  "lib/http",
  "lib/services",
  "lib/documents",
  "worker",
]

/** Code that no unit test reaches, because it needs a server or another process, and a generated file. */
const EXCLUDED = [
  /^lib\/api\/client\/routes\.ts$/,
  /^lib\/storage\/stores\/(postgres|copy)\//,
  /^lib\/queue\/postgres\//,
  /^lib\/queue\/amqp\/(connection|consumer|dead-letters|index|publisher)\.ts$/,
  /^lib\/http\/server\/(main|next-app|trace-requests)\.ts$/,
  /^worker\/main\.ts$/,
  /\.child\.ts$/,
]
const NO_SOURCE = /(\.test|\.testsuite|\.d)\.ts$|\/(testing|node_modules|ports|drizzle)\//

/** Returns the paths of the source files of a folder or file that mutants are made in, sorted. */
export const listSourceFiles = (path) => {
  const names = path.endsWith(".ts") ? [""] : readdirSync(join(root, path), { recursive: true })
  return names
    .map((name) => join(path, name).replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !NO_SOURCE.test(file) && !EXCLUDED.some((p) => p.test(file)))
    .sort()
}
