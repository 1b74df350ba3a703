import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const readPackage = (file: string): { name?: string; version?: string } => JSON.parse(readFileSync(file, "utf8"))

/** The folder of Earmark's own package.json, found upwards of a module: it holds .next, dist, drizzle and public. */
export const packageRoot = (from: string = import.meta.url): string => {
  for (let dir = dirname(fileURLToPath(from)); ; dir = dirname(dir)) {
    const file = join(dir, "package.json")
    if (existsSync(file) && readPackage(file).name === "earmark") return dir
    if (dir === dirname(dir))
      throw new Error(`no package.json of earmark above ${from}: the installation is incomplete`)
  }
}

/** Of the program, by SemVer; the HTTP interface has one of its own. */
export const packageVersion = (): string => readPackage(join(packageRoot(), "package.json")).version ?? "0.0.0"
