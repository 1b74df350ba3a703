/** What every bundler's runtime calls an error when a file of the page did not come. */
export const isChunkLoadError = (error: unknown): boolean => error instanceof Error && error.name === "ChunkLoadError"

/** `away`: nobody answers. `replaced`: the service is another version by now, and no longer has this page's files. */
export type LoadFailure = "away" | "replaced"

/** Asks once more for the file that a `ChunkLoadError` names; what names none counts as away. Never throws. */
export const classifyLoadError = async (error: unknown): Promise<LoadFailure> => {
  const file = error instanceof Error && /\/_next\/\S+?\.(?:js|css)/.exec(error.message)?.[0]
  if (!file) return "away"
  const status = await fetch(file, { method: "HEAD", cache: "no-store" }).then(
    (response) => response.status,
    () => 0,
  )
  return status === 404 ? "replaced" : "away"
}

export const LOAD_FAILURE_MESSAGES: Readonly<Record<LoadFailure, string>> = {
  away: "The service cannot be reached; the page stays.",
  replaced: "Earmark was upgraded since this page was opened. Reload it to go on; what is not kept yet is lost.",
}
