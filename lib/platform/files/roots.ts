import { isAbsolute, relative, sep } from "node:path"
import { AppError } from "../../domain/errors.ts"

/** Compares whole path segments, so that /data-evil is not inside /data. Both paths are absolute. */
const isWithin = (root: string, path: string): boolean => {
  const difference = relative(root, path)
  return difference === "" || (difference !== ".." && !difference.startsWith(`..${sep}`) && !isAbsolute(difference))
}

/** Returns true if a file or folder below the root is hidden. The root itself may be. */
const isHiddenBelow = (root: string, path: string): boolean =>
  relative(root, path)
    .split(sep)
    .some((name) => name.startsWith("."))

/**
 * Returns true if an absolute path is inside one of the folders and not hidden there: hidden files hold keys, passwords and
 * settings more often than documents. Does not resolve symbolic links.
 */
export const isInside = (roots: readonly string[], path: string): boolean =>
  roots.some((root) => isWithin(root, path) && !isHiddenBelow(root, path))

/** Returns the error for a path outside the allowed folders. It is the same whether or not the path exists. */
export const outsideRoots = (path: string, roots: readonly string[], kind: "path" | "link" = "path"): AppError => {
  if (roots.some((root) => isWithin(root, path)) && !isInside(roots, path))
    return new AppError(
      "forbidden",
      `'${path}' is hidden: a part of the path begins with a dot. Move it, or name its folder in SERVICE_INGEST_ROOTS.`,
    )
  return new AppError(
    "forbidden",
    `'${path}' is ${kind === "path" ? "outside" : "a link to a path outside"} the allowed folders (${roots.join(", ") || "none"}). ` +
      "Move it there or add its folder to SERVICE_INGEST_ROOTS.",
  )
}
