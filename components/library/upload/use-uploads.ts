"use client"
import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useRef, useState } from "react"
import { client, errorMessage } from "../../api/client.ts"
import { isRejection, stripFieldName } from "../queue/failures.ts"

export type Upload = {
  readonly id: number
  readonly name: string
  /** What to call it, where its name does not say it. */
  readonly title: string | undefined
  readonly sizeBytes: number
  readonly sentBytes: number
  readonly error: string | null
  /** It was refused for what it is: to send it again would end the same way. */
  readonly isRejected: boolean
  readonly abort: AbortController
  readonly file: File
}

/** Sends files one after another, so that the first is at work while the next still travels. */
export const useUploads = (onJob: (jobId: string) => void) => {
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const nextId = useRef(0)
  const chain = useRef<Promise<void>>(Promise.resolve())

  const removeFromList = useCallback((id: number) => setUploads((all) => all.filter((u) => u.id !== id)), [])
  const patch = useCallback(
    (id: number, change: Partial<Upload>) =>
      setUploads((all) => all.map((u) => (u.id === id ? { ...u, ...change } : u))),
    [],
  )

  const send = useCallback(
    async ({ id, file, title, abort: stop }: Upload) => {
      if (stop.signal.aborted) return
      try {
        const onProgress = (sent: number, total: number) => patch(id, { sentBytes: sent, sizeBytes: total })
        const { job_id } = await client.upload(file, { title }, { signal: stop.signal, onProgress })
        await queries.invalidateQueries({ queryKey: ["jobs"] })
        removeFromList(id)
        onJob(job_id)
      } catch (error) {
        if (!stop.signal.aborted)
          patch(id, { error: stripFieldName(errorMessage(error)), isRejected: isRejection(error) })
      }
    },
    [removeFromList, onJob, patch, queries],
  )

  const add = useCallback(
    (files: Iterable<File>, title?: string) => {
      for (const file of files) {
        const upload = {
          id: nextId.current++,
          name: title ?? file.name,
          title,
          sizeBytes: file.size,
          sentBytes: 0,
          error: null,
          isRejected: false,
          abort: new AbortController(),
          file,
        }
        setUploads((all) => [upload, ...all])
        chain.current = chain.current.then(() => send(upload))
      }
    },
    [send],
  )

  /** Stops an upload on its way, or puts one away that failed. */
  const remove = useCallback(
    (upload: Upload) => {
      upload.abort.abort()
      removeFromList(upload.id)
    },
    [removeFromList],
  )

  const retry = useCallback(
    (upload: Upload) => {
      removeFromList(upload.id)
      add([upload.file], upload.title)
    },
    [add, removeFromList],
  )

  return { uploads, add, remove, again: retry }
}
