"use client"
import Link from "next/link"
import type { DocumentEntry } from "#lib/domain/documents.ts"
import { errorMessage, isUnreachable } from "../api/client.ts"
import { IconButton } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { formatCount, formatTimeAgo } from "../ui/format.ts"
import { Icon } from "../ui/Icon.tsx"
import { Notice } from "../ui/Notice.tsx"
import { AddFolderForm, DropZone } from "./AddDocuments.tsx"
import { getDocumentHref } from "./document-address.ts"
import { useDeleteDocuments, useDocuments, useHiddenDocuments, useUpdateDocument } from "./document-data.ts"

const STATE_LABELS = { kept: "", changed: "changed since it was added", gone: "file not found" } as const

const DocumentRow = ({ document }: { document: DocumentEntry }) => {
  const update = useUpdateDocument(document)
  const remove = useDeleteDocuments()
  return (
    <li className="group/line flex items-center gap-2 rounded-md py-1 pl-2 transition hover:bg-accent-wash">
      <Icon name="file" size={16} className="shrink-0 text-muted" />
      <Link
        href={getDocumentHref(document.id)}
        prefetch={false}
        title={document.source}
        className="grid min-w-0 flex-1 rounded-sm"
      >
        <bdi className="truncate text-sm font-[560]">{document.name}</bdi>
        <span className={cx("truncate text-xs", document.state === "kept" ? "text-muted" : "text-bad")}>
          {STATE_LABELS[document.state] ||
            `${formatCount(document.chunks, "passage")} · ${formatTimeAgo(document.ingested_at)}`}
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
        onClick={() => remove([document])}
        className="size-8"
      />
    </li>
  )
}

/** The documents beside the questions: adds them, opens them and removes them. */
export const DocumentList = () => {
  const documents = useDocuments({ sort: "-created_at" })
  const hidden = useHiddenDocuments()
  const list = documents.data?.pages[0]?.documents.filter(({ id }) => !hidden.has(id)) ?? []
  return (
    <aside aria-label="Documents" className="grid content-start gap-4">
      <div className="flex items-baseline justify-between">
        <h2 className="text-lg font-[620]">Documents</h2>
        <Link
          href="/documents"
          prefetch={false}
          className="rounded-sm text-sm text-accent underline-offset-4 hover:underline"
        >
          All documents
        </Link>
      </div>
      <DropZone />
      <AddFolderForm />
      {documents.isError && !isUnreachable(documents.error) && (
        <Notice onRetry={() => documents.refetch()}>{errorMessage(documents.error)}</Notice>
      )}
      {documents.isSuccess && list.length === 0 && (
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
