import { useCallback, useEffect, useState } from "react"

/** An upload that ended with its page. It continues when the same file is chosen again. */
export type InterruptedUpload = {
  readonly key: string
  readonly url: string
  readonly name: string
  readonly sizeBytes: number
  readonly sentBytes: number
}

/** tus-js-client stores the address of each unfinished upload under this prefix. */
const PREFIX = "tus::"
const TUS_HEADERS = { "tus-resumable": "1.0.0" }

type StoredUpload = { uploadUrl?: string; size?: number; metadata?: { filename?: string } }

const readStored = (key: string): StoredUpload => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") as StoredUpload
  } catch {
    return {}
  }
}

/** Returns the state of a stored upload, or null if it has expired; its address is then forgotten. */
const loadUpload = async (key: string): Promise<InterruptedUpload | null> => {
  const { uploadUrl: url, size = 0, metadata } = readStored(key)
  const response = url ? await fetch(url, { method: "HEAD", headers: TUS_HEADERS }).catch(() => null) : null
  if (!url || response?.status === 404) localStorage.removeItem(key)
  if (!url || !response?.ok) return null
  const sentBytes = Number(response.headers.get("upload-offset") ?? 0)
  return { key, url, name: metadata?.filename ?? "recording", sizeBytes: size, sentBytes }
}

/** Lists the uploads that an earlier page did not finish. One that continues is no longer listed. */
export const useInterruptedUploads = (current: readonly { readonly name: string; readonly sizeBytes: number }[]) => {
  const [interrupted, setInterrupted] = useState<readonly InterruptedUpload[]>([])
  useEffect(() => {
    let isShown = true
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
    // The uploads of this page are no interrupted ones, and asking for their state would end their requests.
    Promise.all(keys.map(loadUpload)).then((found) => {
      if (isShown) setInterrupted(found.filter((upload) => upload !== null))
    })
    return () => {
      isShown = false
    }
  }, [])
  useEffect(() => {
    const continues = ({ name, sizeBytes }: InterruptedUpload) =>
      current.some((upload) => upload.name === name && upload.sizeBytes === sizeBytes)
    setInterrupted((all) => (all.some(continues) ? all.filter((upload) => !continues(upload)) : all))
  }, [current])
  const discard = useCallback(({ key, url }: InterruptedUpload) => {
    localStorage.removeItem(key)
    setInterrupted((all) => all.filter((upload) => upload.key !== key))
    void fetch(url, { method: "DELETE", headers: TUS_HEADERS }).catch(() => undefined)
  }, [])
  return { interrupted, discard }
}
