import { isAbsolute, relative, sep } from "node:path"
import { AppError } from "../../domain/errors.ts"

/** Compares whole path segments, so that /data-evil is not inside /data. Both paths are absolute. */
const isWithin = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Returns true if an absolute path is inside one of the folders. Does not resolve symbolic links. */
export const isInside = (roots: readonly string[], path: string): boolean => roots.some((root) => isWithin(root, path))

/** Returns the error for a path outside the allowed folders. It is the same whether or not the path exists. */
export const outsideRoots = (path: string, roots: readonly string[], how: "lies" | "leads" = "lies"): AppError =>
  new AppError(
    "forbidden",
    `'${path}' ${how === "lies" ? "lies" : "is a link and leads"} outside the folders that may be read (${roots.join(", ") || "none"}): ` +
      "move it there, or name its folder in SERVICE_INGEST_ROOTS",
  )
