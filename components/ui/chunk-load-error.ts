/** Returns true if the bundler could not load a file of the page. */
export const isChunkLoadError = (error: unknown): boolean => error instanceof Error && error.name === "ChunkLoadError"

/** `unreachable`: the service does not respond. `outdated`: the service was updated and no longer has this page's files. */
export type LoadFailure = "unreachable" | "outdated"

/** Requests the file named by a `ChunkLoadError` once more to find out why it could not be loaded. Never throws. */
export const classifyLoadError = async (error: unknown): Promise<LoadFailure> => {
  const file = error instanceof Error && /\/_next\/\S+?\.(?:js|css)/.exec(error.message)?.[0]
  if (!file) return "unreachable"
  const status = await fetch(file, { method: "HEAD", cache: "no-store" }).then(
    (response) => response.status,
    () => 0,
  )
  return status === 404 ? "outdated" : "unreachable"
}

export const LOAD_FAILURE_MESSAGES: Readonly<Record<LoadFailure, string>> = {
  unreachable: "Earmark isn't responding. The rest of the page stays open.",
  outdated: "Earmark was updated after you opened this page. Reload to continue. Unsaved changes will be lost.",
}
