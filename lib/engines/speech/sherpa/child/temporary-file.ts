import { closeSync, existsSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { newId } from "../../../../domain/ids.ts"

/**
 * Calls `load` with the path of a temporary file, which native code reads. On Linux the file is unlinked first, so that not
 * even a crash leaves it behind.
 */
export const withTemporaryFile = async <T>(content: string, load: (path: string) => Promise<T>): Promise<T> => {
  const path = join(tmpdir(), `earmark-speech-${newId()}.txt`)
  const fd = openSync(path, "wx+", 0o600)
  try {
    const descriptorPath = `/proc/self/fd/${fd}`
    const isUnlinked = existsSync(descriptorPath)
    if (isUnlinked) rmSync(path)
    writeFileSync(fd, content)
    return await load(isUnlinked ? descriptorPath : path)
  } finally {
    closeSync(fd)
    rmSync(path, { force: true })
  }
}
