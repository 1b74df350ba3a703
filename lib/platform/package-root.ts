import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The packages that ship this code: the whole product, and the worker alone. */
const PACKAGES = ["earmark", "earmark-worker"]

const readPackage = (file: string): { name?: string; version?: string } => JSON.parse(readFileSync(file, "utf8"))

/**
 * Returns the folder of the package that contains the module `from` (a file URL). It holds `dist` and `drizzle`, and in the
 * main package also `.next` and `public`.
 */
export const packageRoot = (from: string = import.meta.url): string => {
  for (let dir = dirname(fileURLToPath(from)); ; dir = dirname(dir)) {
    const file = join(dir, "package.json")
    if (existsSync(file) && PACKAGES.includes(readPackage(file).name ?? "")) return dir
    if (dir === dirname(dir))
      throw new Error(
        `Couldn't find Earmark's package.json above ${from}. The installation is incomplete: install it again.`,
      )
  }
}

/** Returns the program's version. The HTTP API has its own version. */
export const packageVersion = (): string => readPackage(join(packageRoot(), "package.json")).version ?? "0.0.0"
