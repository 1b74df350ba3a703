"use client"
import Link from "next/link"
import { useRouter } from "next/navigation"
import { EarmarkError } from "#lib/api/client/errors.ts"
import type { DocumentEntry } from "#lib/domain/documents.ts"
import { client, errorMessage } from "../../api/client.ts"
import { useOffline } from "../../api/readiness.ts"
import { OfflineNotice } from "../../shell/OfflineNotice.tsx"
import { IconButton, LinkButton } from "../../ui/Button.tsx"
import { formatBytes, formatCount, formatTimeAgo } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Menu, MenuItem } from "../../ui/Menu.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { useDeleteDocuments, useUpdateDocument } from "../document-data.ts"
import { formatName } from "../format-names.ts"
import { DocumentText } from "./DocumentText.tsx"
import { useContent, useDocument } from "./reader-data.ts"

const describe = ({ format, bytes, chunks, ingested_at }: DocumentEntry): string =>
  [
    formatName(format),
    bytes === null ? null : formatBytes(bytes),
    formatCount(chunks, "passage"),
    `added ${formatTimeAgo(ingested_at)}`,
  ]
    .filter((part) => part !== null)
    .join(" · ")

const StateNotice = ({ document }: { document: DocumentEntry }) => {
  const update = useUpdateDocument(document)
  if (document.state === "gone")
    return <Notice tone="plain">The file no longer exists. This is the text that was indexed.</Notice>
  if (document.state === "changed")
    return (
      <Notice tone="plain" onRetry={() => update.mutate()} retry={update.isPending ? "Updating" : "Update"}>
        The file has changed since it was added. Answers still use the text below.
      </Notice>
    )
  return null
}

const FileLink = ({ document }: { document: DocumentEntry }) => {
  if (document.state === "gone") return null
  const href = client.documentFileUrl(document.id)
  return document.format === "pdf" ? (
    <LinkButton icon="file" href={href} target="_blank" rel="noreferrer" className="max-sm:h-11">
      Open file
    </LinkButton>
  ) : (
    <LinkButton icon="save" href={href} download className="max-sm:h-11">
      Download
    </LinkButton>
  )
}

const DocumentHeader = ({ document }: { document: DocumentEntry }) => {
  const remove = useDeleteDocuments()
  const router = useRouter()
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <h1 className="text-2xl font-[640] [overflow-wrap:anywhere]">
          <bdi>{document.title ?? document.name}</bdi>
        </h1>
        <p className="text-sm text-muted [overflow-wrap:anywhere]" suppressHydrationWarning>
          <bdi title={document.source}>{document.name}</bdi> · {describe(document)}
        </p>
      </div>
      <div className="flex items-center gap-2">
        <FileLink document={document} />
        <Menu align="end" trigger={<IconButton name="more" label="More actions" className="max-sm:size-11" />}>
          <MenuItem
            icon="trash"
            onSelect={() => {
              remove([document])
              router.push("/documents")
            }}
          >
            {document.uploaded ? "Delete document" : "Remove from library"}
          </MenuItem>
        </Menu>
      </div>
    </div>
  )
}

const LoadError = ({ error, onRetry }: { error: unknown; onRetry: () => void }) =>
  error instanceof EarmarkError && error.status === 404 ? (
    <>
      <h1 className="text-2xl font-[640]">Document not found</h1>
      <p className="text-soft">It may have been removed from the library.</p>
    </>
  ) : (
    <>
      <h1 className="text-2xl font-[640]">Couldn't load the document</h1>
      <Notice onRetry={onRetry}>{errorMessage(error)}</Notice>
    </>
  )

const Skeleton = () => (
  <div aria-busy="true" className="grid animate-pulse gap-4">
    <span className="sr-only">Loading document</span>
    <div className="h-8 w-72 max-w-full rounded-full bg-line" />
    <div className="h-[60vh] rounded-lg border border-line bg-surface" />
  </div>
)

/** The page of a document: what its file says, with its outline and a search. The passage of the address is highlighted. */
export const DocumentReader = ({ id }: { id: string }) => {
  const { offline, retry } = useOffline()
  const document = useDocument(id)
  const content = useContent(id)
  return (
    <main
      id="content"
      className="mx-auto grid w-full max-w-[78rem] grid-cols-1 content-start gap-5 px-4 pt-4 pb-24 sm:px-8 sm:pt-6"
    >
      <Link
        href="/documents"
        className="inline-flex w-fit items-center gap-1 rounded-sm text-sm text-muted hover:text-ink max-sm:min-h-11"
      >
        <Icon name="back" size={14} />
        Documents
      </Link>
      {offline && <OfflineNotice onRetry={retry} />}
      {document.isPending && <Skeleton />}
      {document.isError && !document.data && <LoadError error={document.error} onRetry={() => document.refetch()} />}
      {document.data && (
        <>
          <DocumentHeader document={document.data} />
          <StateNotice document={document.data} />
          {content.isPending && (
            <p role="status" className="animate-pulse text-sm text-muted">
              Reading the document…
            </p>
          )}
          {content.isError && !content.data && (
            <Notice onRetry={() => content.refetch()}>Couldn't load the text. {errorMessage(content.error)}</Notice>
          )}
          {content.data && <DocumentText document={document.data} content={content.data} />}
        </>
      )}
    </main>
  )
}
