"use client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { client, errorMessage } from "../api/client.ts"
import { stripFieldName } from "../api/job-failures.ts"
import { invalidateJobs } from "../api/query-keys.ts"
import { uploadRecording } from "../library/upload/resumable-upload.ts"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { formatClock } from "../ui/format.ts"
import { Progress } from "../ui/Progress.tsx"
import { notifyWithAction } from "../ui/toast-queue.ts"
import { useExclusiveMutation } from "../ui/use-exclusive-mutation.ts"
import { type KeptRecording, readKept, removeKept } from "./kept-recordings.ts"
import { closeRecorder } from "./recorder-store.ts"

const defaultTitle = ({ startedAt }: KeptRecording): string =>
  `Recording of ${new Date(startedAt).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}`

/** Loads the sound of a recording, and a URL that plays it. */
const useSound = (recording: KeptRecording) => {
  const file = useQuery({ queryKey: ["kept recording", recording.id], queryFn: () => readKept(recording), gcTime: 0 })
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file.data) return
    const created = URL.createObjectURL(file.data)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [file.data])
  return { file: file.data ?? null, url }
}

type KeptReviewProps = { recording: KeptRecording; note: string | null; onDiscard: () => void }

/** Plays a finished recording, and adds it to the library or discards it. */
export const KeptReview = ({ recording, note, onDiscard }: KeptReviewProps) => {
  const router = useRouter()
  const queryClient = useQueryClient()
  const { file, url } = useSound(recording)
  const [title, setTitle] = useState(() => defaultTitle(recording))
  const [share, setShare] = useState(0)
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])
  const add = useExclusiveMutation({
    mutationFn: async () => {
      const onProgress = (sent: number, total: number) => setShare(total > 0 ? sent / total : 0)
      const { signal } = abort.current
      const jobId = await uploadRecording(file!, title.trim() || defaultTitle(recording), { signal, onProgress })
      return client.job(jobId)
    },
    onSuccess: async ({ session_id }) => {
      await removeKept(recording.id)
      void invalidateJobs(queryClient)
      closeRecorder()
      notifyWithAction("Recording added", "Open", () => router.push(`/library/${encodeURIComponent(session_id)}`))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (file) add.mutate()
  }
  return (
    <form onSubmit={submit} className="grid gap-2">
      <p className="px-1 text-sm text-soft">
        <span className="font-[600] text-ink">{formatClock(recording.duration_s)} recorded.</span> {note}
      </p>
      {/* biome-ignore lint/a11y/useMediaCaption: the sound is not transcribed yet */}
      {url && <audio controls src={url} aria-label="The recording" className="h-11 w-full" />}
      <Field label="Title" hideLabel value={title} maxLength={500} onChange={(event) => setTitle(event.target.value)} />
      {add.isPending && <Progress value={share} label="Uploading the recording" />}
      {add.isError && (
        <p role="alert" className="px-1 text-sm text-bad">
          {stripFieldName(errorMessage(add.error))} The recording is kept in this browser.
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button variant="quiet" className="h-11" disabled={add.isPending} onClick={onDiscard}>
          Discard
        </Button>
        <Button type="submit" variant="primary" className="h-11" disabled={!file || add.isPending}>
          {add.isPending ? "Adding…" : add.isError ? "Try again" : "Add to library"}
        </Button>
      </div>
    </form>
  )
}
