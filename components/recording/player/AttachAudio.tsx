"use client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import type { Clip } from "#lib/domain/clips.ts"
import { client, errorMessage } from "../../api/client.ts"
import { stripFieldName } from "../../api/job-failures.ts"
import { invalidateLibrary, queryKeys } from "../../api/query-keys.ts"
import { uploadFile } from "../../library/upload/resumable-upload.ts"
import { Button } from "../../ui/Button.tsx"
import { formatPercent } from "../../ui/format.ts"
import { notify } from "../../ui/toast-queue.ts"

/** Uploads the recording of a clip that has only a transcript. It is not transcribed. */
export const AttachAudio = ({ clip }: { clip: Clip }) => {
  const queryClient = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [share, setShare] = useState(0)
  const attach = useMutation({
    mutationFn: async (file: File) => {
      setShare(0)
      const onProgress = (sent: number, total: number) => setShare(total > 0 ? sent / total : 0)
      const source = await uploadFile(file, { signal: new AbortController().signal, onProgress })
      return client.attachAudio(clip.id, { source })
    },
    onSuccess: (changed) => {
      queryClient.setQueryData<Clip>(queryKeys.clip(clip.id), changed)
      void invalidateLibrary(queryClient)
      notify("Audio attached")
    },
  })
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="text-xs text-muted">
        This recording has no audio.
        <span className="max-sm:sr-only"> The timeline shows when people speak.</span>
      </p>
      <input
        ref={input}
        type="file"
        accept="audio/*,video/*"
        aria-label="Recording to attach"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) attach.mutate(file)
          event.target.value = ""
        }}
      />
      <Button
        icon="wave"
        disabled={attach.isPending}
        onClick={() => input.current?.click()}
        className="h-8 max-sm:h-11"
      >
        {attach.isPending ? (share < 1 ? `Uploading ${formatPercent(share)}` : "Checking…") : "Attach the audio"}
      </Button>
      {attach.isError && (
        <p role="alert" className="w-full text-sm text-bad">
          {stripFieldName(errorMessage(attach.error))}
        </p>
      )}
    </div>
  )
}
