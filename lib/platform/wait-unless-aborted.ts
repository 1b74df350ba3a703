/** Waits for a promise that several callers share, until this caller's signal is aborted. @throws the reason of the signal */
export const waitUnlessAborted = async <T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return shared
  signal.throwIfAborted()
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener("abort", onAbort, { once: true })
  })
  try {
    return await Promise.race([shared, aborted])
  } finally {
    signal.removeEventListener("abort", onAbort)
  }
}
