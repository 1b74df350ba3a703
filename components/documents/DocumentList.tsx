"use client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import Link from "next/link"
import { type SyntheticEvent, useRef, useState } from "react"
import type { DocumentEntry } from "#lib/domain/documents.ts"
import { client, errorMessage, isUnreachable } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { Field } from "../ui/Field.tsx"
import { formatCount, formatTimeAgo } from "../ui/format.ts"
import { Icon } from "../ui/Icon.tsx"
import { Notice } from "../ui/Notice.tsx"
import { notify, notifyError } from "../ui/toast-queue.ts"
import { useExclusiveMutation } from "../ui/use-exclusive-mutation.ts"
import { useWindowDrop } from "../ui/use-window-drop.ts"

const STATE_LABELS = { kept: "", changed: "changed since it was added", gone: "file not found" } as const

const useDocuments = () =>
  useQuery({ queryKey: queryKeys.documents, queryFn: ({ signal }) => client.documents({}, { signal }) })

const DocumentRow = ({ document }: { document: DocumentEntry }) => {
  const queryClient = useQueryClient()
  const reloadList = () => queryClient.invalidateQueries({ queryKey: queryKeys.documents })
  const update = useExclusiveMutation({
    mutationFn: () => client.ingest({ paths: [document.source] }),
    onError: (error) => notifyError(errorMessage(error)),
    onSettled: reloadList,
  })
  const remove = useExclusiveMutation({
    mutationFn: () => client.removeDocument(document.id),
    onSuccess: () =>
      notify(`Removed “${document.name}”${document.uploaded ? "" : ". The file itself was not deleted."}`),
    onError: (error) => notifyError(errorMessage(error)),
    onSettled: reloadList,
  })
  return (
    <li className="group/line flex items-center gap-2 rounded-md py-1 pl-2 transition hover:bg-accent-wash">
      <Icon name="file" size={16} className="shrink-0 text-muted" />
      <Link
        href={`/ask/documents/${encodeURIComponent(document.id)}`}
        prefetch={false}
        title={document.source}
        className="grid min-w-0 flex-1 rounded-sm"
      >
        <bdi className="truncate text-sm font-[560]">{document.name}</bdi>
        <span className={cx("truncate text-xs", document.state === "kept" ? "text-muted" : "text-bad")}>
          {STATE_LABELS[document.state] ||
            `${formatCount(document.chunks, "chunk")} · ${formatTimeAgo(document.ingested_at)}`}
        </span>
      </Link>
      {document.state === "changed" && (
        <IconButton
          name="retry"
          label={`Update ${document.name}`}
          disabled={update.isPending}
          onClick={() => update.mutate()}
          className="size-8"
        />
      )}
      <IconButton
        name="close"
        label={`Remove ${document.name}`}
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
        className="size-8"
      />
    </li>
  )
}

const useAddDocuments = () => {
  const queryClient = useQueryClient()
  const [sending, setSending] = useState<readonly string[]>([])
  const [add] = useState(() => async (files: readonly File[]) => {
    setSending((before) => [...before, ...files.map((f) => f.name)])
    for (const file of files) {
      try {
        await client.addDocument(file)
      } catch (error) {
        notifyError(errorMessage(error))
      }
      setSending((before) => before.toSpliced(before.indexOf(file.name), 1))
      await queryClient.invalidateQueries({ queryKey: queryKeys.documents })
    }
  })
  return { sending, add }
}

const AddFolderForm = () => {
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
        />
      </div>
      <Button type="submit" disabled={!path.trim() || ingest.isPending} className={cx(ingest.isError && "mb-6")}>
        {ingest.isPending ? "Adding" : "Add"}
      </Button>
    </form>
  )
}

/** Lists the documents and adds or removes them. */
export const DocumentList = () => {
  const documents = useDocuments()
  const { sending, add } = useAddDocuments()
  const isDraggedOver = useWindowDrop(add)
  const input = useRef<HTMLInputElement>(null)
  const list = documents.data?.documents ?? []
  return (
    <aside aria-label="Documents" className="grid content-start gap-4">
      <div className="flex items-baseline justify-between">
        <h2 className="text-lg font-[620]">Documents</h2>
        <span className="numeric text-sm text-muted">
          {documents.isSuccess && formatCount(list.length, "document")}
        </span>
      </div>
      <button
        type="button"
        onClick={() => input.current?.click()}
        className={cx(
          "grid gap-0.5 rounded-lg border border-dashed px-4 py-4 text-left text-sm transition hover:bg-accent-wash",
          isDraggedOver ? "border-accent bg-accent-wash" : "border-line-strong",
        )}
      >
        <span className="font-[580]">{isDraggedOver ? "Drop to add" : "Drop documents here, or choose files"}</span>
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
      <AddFolderForm />
      {sending.length > 0 && (
        <p role="status" className="animate-pulse text-sm text-muted">
          Adding {sending[0]}
          {sending.length > 1 && ` and ${sending.length - 1} more`}…
        </p>
      )}
      {documents.isError && !isUnreachable(documents.error) && (
        <Notice onRetry={() => documents.refetch()}>{errorMessage(documents.error)}</Notice>
      )}
      {documents.isSuccess && list.length === 0 && sending.length === 0 && (
        <p className="text-sm text-muted">No documents yet. You can ask about your recordings without any.</p>
      )}
      <ul className="-mx-2 grid max-h-[60vh] gap-0.5 overflow-y-auto">
        {list.map((document) => (
          <DocumentRow key={document.id} document={document} />
        ))}
      </ul>
    </aside>
  )
}
