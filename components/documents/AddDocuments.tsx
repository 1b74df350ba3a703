"use client"
import { useQueryClient } from "@tanstack/react-query"
import { type SyntheticEvent, useRef, useState } from "react"
import { client, errorMessage } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"
import { Button } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { Field } from "../ui/Field.tsx"
import { formatCount } from "../ui/format.ts"
import { notify, notifyError } from "../ui/toast-queue.ts"
import { useExclusiveMutation } from "../ui/use-exclusive-mutation.ts"
import { useWindowDrop } from "../ui/use-window-drop.ts"
import { useAddDocuments } from "./document-data.ts"

/** Ingests a folder or file of the computer that Earmark runs on. */
export const AddFolderForm = () => {
  const queryClient = useQueryClient()
  const [path, setPath] = useState("")
  const ingest = useExclusiveMutation({
    mutationFn: () => client.ingest({ paths: [path.trim()] }),
    onSuccess: ({ ingested, unchanged, skipped, failed }) => {
      setPath("")
      notify(
        [
          `${formatCount(ingested, "document")} added, ${unchanged} unchanged`,
          ...(skipped ? [`${skipped} skipped (unsupported format)`] : []),
          ...(failed.length ? [`${failed.length} failed`] : []),
        ].join(", "),
      )
      for (const { path, detail } of failed.slice(0, 3)) notifyError(`${path}: ${detail}`)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.documents }),
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (path.trim()) ingest.mutate()
  }
  return (
    <form onSubmit={submit} className="flex items-end gap-1.5">
      <div className="min-w-0 flex-1">
        <Field
          label="Or add a folder on the server"
          placeholder="~/notes"
          value={path}
          error={ingest.isError ? errorMessage(ingest.error) : null}
          onChange={(event) => setPath(event.target.value)}
          className="max-sm:h-11"
        />
      </div>
      <Button
        type="submit"
        disabled={!path.trim() || ingest.isPending}
        className={cx("max-sm:h-11", ingest.isError && "mb-6")}
      >
        {ingest.isPending ? "Adding" : "Add"}
      </Button>
    </form>
  )
}

/** A zone for dropping or choosing documents, and what is being added. Files can be dropped anywhere on the page. */
export const DropZone = () => {
  const { sending, add } = useAddDocuments()
  const isDraggedOver = useWindowDrop(add)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        onClick={() => input.current?.click()}
        className={cx(
          "grid gap-0.5 rounded-lg border border-dashed px-4 py-4 text-left text-sm transition hover:bg-accent-wash",
          isDraggedOver ? "border-accent bg-accent-wash" : "border-line-strong",
        )}
      >
        <span className="font-[580] pointer-coarse:hidden">
          {isDraggedOver ? "Drop to add" : "Drop documents here, or choose files"}
        </span>
        <span className="hidden font-[580] pointer-coarse:block">Choose documents</span>
        <span className="text-muted">PDF, Word, slides, spreadsheets, Markdown, web pages, EPUB, subtitles, text</span>
      </button>
      <input
        ref={input}
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Choose documents"
        className="sr-only"
        onChange={(event) => {
          void add([...(event.target.files ?? [])])
          event.target.value = ""
        }}
      />
      {sending.length > 0 && (
        <p role="status" className="animate-pulse text-sm text-muted">
          Adding {sending[0]}
          {sending.length > 1 && ` and ${sending.length - 1} more`}…
        </p>
      )}
    </>
  )
}
