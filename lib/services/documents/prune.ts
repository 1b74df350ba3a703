import { access } from "node:fs/promises"
import { resolve } from "node:path"
import { codeOf } from "../../documents/read.ts"
import { blobKey } from "../../storage/blobs/keys.ts"
import type { Deps } from "../deps.ts"

const isGone = async (blobs: Deps["blobs"], path: string): Promise<boolean> => {
  try {
    await access(path)
    return false
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes(codeOf(error))) return false
    // What was sent may lie elsewhere by now.
    const key = blobKey(blobs, path)
    return key === null || (await blobs.stat(key)) === null
  }
}

/** Forgets documents at or below the paths whose files are no longer there. @returns how many */
export const prune = async (
  { index, blobs }: Pick<Deps, "index" | "blobs">,
  paths: readonly string[],
  cwd: string,
): Promise<number> => {
  const gone = new Set<string>()
  for (const path of paths)
    for (const { id, source } of await index.listUnderPath(resolve(cwd, path)))
      if (await isGone(blobs, source)) gone.add(id)
  return gone.size > 0 ? index.remove([...gone]) : 0
}
