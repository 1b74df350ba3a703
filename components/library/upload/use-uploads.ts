"use client"
import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useRef, useState } from "react"
import { errorMessage } from "../../api/client.ts"
import { isRejection, stripFieldName } from "../../api/job-failures.ts"
import { invalidateJobs } from "../../api/query-keys.ts"
import { uploadRecording } from "./resumable-upload.ts"

export type Upload = {
  readonly id: number
  readonly name: string
  /** The title of the recording, if it is not derived from the file name. */
  readonly title: string | undefined
  readonly sizeBytes: number
  readonly sentBytes: number
  readonly error: string | null
  /** True if the service rejected the file itself, so that retrying cannot succeed. */
  readonly isRejected: boolean
  readonly abort: AbortController
  readonly file: File
}

/** Uploads files one after another, so that the first is processed while the next uploads. */
export const useUploads = (onJob: (jobId: string) => void) => {
  const queryClient = useQueryClient()
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
    async ({ id, file, title, abort }: Upload) => {
      if (abort.signal.aborted) return
      try {
        const onProgress = (sent: number, total: number) => patch(id, { sentBytes: sent, sizeBytes: total })
        const jobId = await uploadRecording(file, title, { signal: abort.signal, onProgress })
        await invalidateJobs(queryClient)
        removeFromList(id)
        onJob(jobId)
      } catch (error) {
        if (!abort.signal.aborted)
          patch(id, { error: stripFieldName(errorMessage(error)), isRejected: isRejection(error) })
      }
    },
    [removeFromList, onJob, patch, queryClient],
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

  /** Cancels a running upload or dismisses a failed one. */
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

  return { uploads, add, remove, retry }
}
