import { isAbsolute, relative, sep } from "node:path"
import { AppError } from "../../domain/errors.ts"

/** Whether `path` is `root` or lies under it. Both absolute; by path segments, so that /data-evil is not in /data. */
const isWithin = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Whether an absolute path lies in one of the folders. Looks at the letters only: no link is followed. */
export const isInside = (roots: readonly string[], path: string): boolean => roots.some((root) => isWithin(root, path))

/** The refusal of a path outside the roots; the same whether or not anything is there. */
export const outsideRoots = (path: string, roots: readonly string[], how: "lies" | "leads" = "lies"): AppError =>
  new AppError(
    "forbidden",
    `'${path}' ${how === "lies" ? "lies" : "is a link and leads"} outside the folders that may be read (${roots.join(", ") || "none"}): ` +
      "move it there, or name its folder in SERVICE_INGEST_ROOTS",
  )
