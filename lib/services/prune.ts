import { access } from "node:fs/promises"
import { resolve } from "node:path"
import { codeOf } from "../documents/read.ts"
import type { Deps } from "./deps.ts"

const isGone = async (path: string): Promise<boolean> => {
  try {
    await access(path)
    return false
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(codeOf(error))
  }
}

/** Forgets documents at or below the paths whose files are no longer there. @returns how many */
export const prune = async ({ index }: Pick<Deps, "index">, paths: readonly string[], cwd: string): Promise<number> => {
  const gone = new Set<string>()
  for (const path of paths)
    for (const { id, source } of await index.below(resolve(cwd, path))) if (await isGone(source)) gone.add(id)
  return gone.size > 0 ? index.remove([...gone]) : 0
}
