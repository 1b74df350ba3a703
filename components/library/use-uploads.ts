"use client"
import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useRef, useState } from "react"
import { client, sentence } from "../api.ts"
import { besideField, isRefusal } from "./failures.ts"

export type Upload = {
  readonly id: number
  readonly name: string
  /** What to call it, where its name does not say it. */
  readonly title: string | undefined
  readonly size: number
  readonly sent: number
  readonly error: string | null
  /** It was refused for what it is: to send it again would end the same way. */
  readonly inVain: boolean
  readonly stop: AbortController
  readonly file: File
}

/** Sends files one after another, so that the first is at work while the next still travels. */
export const useUploads = (onJob: (jobId: string) => void) => {
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const nextId = useRef(0)
  const chain = useRef<Promise<void>>(Promise.resolve())

  const drop = useCallback((id: number) => setUploads((all) => all.filter((u) => u.id !== id)), [])
  const patch = useCallback(
    (id: number, change: Partial<Upload>) =>
      setUploads((all) => all.map((u) => (u.id === id ? { ...u, ...change } : u))),
    [],
  )

  const send = useCallback(
    async ({ id, file, title, stop }: Upload) => {
      if (stop.signal.aborted) return
      try {
        const onProgress = (sent: number, total: number) => patch(id, { sent, size: total })
        const { job_id } = await client.upload(file, { title }, { signal: stop.signal, onProgress })
        await queries.invalidateQueries({ queryKey: ["jobs"] })
        drop(id)
        onJob(job_id)
      } catch (error) {
        if (!stop.signal.aborted) patch(id, { error: besideField(sentence(error)), inVain: isRefusal(error) })
      }
    },
    [drop, onJob, patch, queries],
  )

  const add = useCallback(
    (files: Iterable<File>, title?: string) => {
      for (const file of files) {
        const upload = {
          id: nextId.current++,
          name: title ?? file.name,
          title,
          size: file.size,
          sent: 0,
          error: null,
          inVain: false,
          stop: new AbortController(),
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
      upload.stop.abort()
      drop(upload.id)
    },
    [drop],
  )

  const again = useCallback(
    (upload: Upload) => {
      drop(upload.id)
      add([upload.file], upload.title)
    },
    [add, drop],
  )

  return { uploads, add, remove, again }
}
