"use client"
import Link from "next/link"
import type { DocumentEntry } from "#lib/domain/documents.ts"
import { client } from "../api/client.ts"
import { IconButton } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { formatBytes, formatCount, formatTimeAgo } from "../ui/format.ts"
import { Icon } from "../ui/Icon.tsx"
import { Menu, MenuItem, MenuLink } from "../ui/Menu.tsx"
import { getDocumentHref } from "./document-address.ts"
import { useDeleteDocuments, useUpdateDocument } from "./document-data.ts"
import { formatName } from "./format-names.ts"

/** The columns of the list, from the name to the menu. */
export const COLUMNS =
  "grid grid-cols-[minmax(0,1fr)_2.75rem] items-center sm:grid-cols-[minmax(0,1fr)_6.5rem_5rem_6.5rem_2.75rem] md:grid-cols-[minmax(0,1fr)_7rem_5rem_6rem_6.5rem_2.75rem]"

const STATES: Readonly<Record<DocumentEntry["state"], string>> = {
  kept: "",
  changed: "changed since it was added",
  gone: "file not found",
}

/** Returns where a document without a title is. */
const folderOf = ({ source, uploaded }: DocumentEntry): string =>
  uploaded ? "Uploaded" : source.slice(0, Math.max(1, source.lastIndexOf("/"), source.lastIndexOf("\\")))

const RowMenu = ({ document }: { document: DocumentEntry }) => {
  const remove = useDeleteDocuments()
  const update = useUpdateDocument(document)
  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          name="more"
          label={`Actions for ${document.name}`}
          className="max-sm:size-11 [@media(hover:hover)]:not-focus-visible:opacity-70"
        />
      }
    >
      {document.state === "changed" && (
        <MenuItem icon="retry" onSelect={() => update.mutate()}>
          Update from the file
        </MenuItem>
      )}
      {document.state !== "gone" && (
        <MenuLink download href={client.documentFileUrl(document.id)} icon="save">
          Download
        </MenuLink>
      )}
      <MenuItem icon="trash" onSelect={() => remove([document])}>
        {document.uploaded ? "Delete" : "Remove from library"}
      </MenuItem>
    </Menu>
  )
}

/** A document as a row of the list. The whole row links to its page. */
export const DocumentRow = ({ document }: { document: DocumentEntry }) => {
  const { name, title, format, bytes, chunks, ingested_at, state, source } = document
  const size = bytes === null ? "" : formatBytes(bytes)
  const passages = formatCount(chunks, "passage")
  return (
    <div
      className={cx(
        COLUMNS,
        "relative h-14 border-b border-line text-sm transition-colors hover:bg-accent-wash has-[[data-row-link]:focus-visible]:bg-accent-wash",
      )}
    >
      <div className="flex min-w-0 items-center gap-3 pr-4 pl-2">
        <Icon name="file" size={18} className="shrink-0 text-muted" />
        <span className="grid min-w-0">
          <Link
            href={getDocumentHref(document.id)}
            prefetch={false}
            data-row-link=""
            title={source}
            className="truncate rounded-sm font-[580] after:absolute after:inset-0 hover:text-accent"
          >
            <bdi>{title ?? name}</bdi>
          </Link>
          <span
            className={cx("truncate text-xs", state === "kept" ? "text-muted" : "text-bad")}
            suppressHydrationWarning
          >
            <span className="sm:hidden">
              {[formatName(format), size, passages, STATES[state] || formatTimeAgo(ingested_at)]
                .filter(Boolean)
                .join(" · ")}
            </span>
            <span className="max-sm:hidden">
              <bdi>{title === null ? folderOf(document) : name}</bdi>
              {STATES[state] && ` · ${STATES[state]}`}
            </span>
          </span>
        </span>
      </div>
      <div className="truncate text-soft max-sm:hidden">{formatName(format)}</div>
      <div className="numeric truncate pr-4 text-right text-soft max-sm:hidden">{size}</div>
      <div className="numeric truncate pr-4 text-right text-soft max-md:hidden" title={passages}>
        {chunks.toLocaleString("en")}
      </div>
      <div className="truncate text-muted max-sm:hidden" suppressHydrationWarning>
        {formatTimeAgo(ingested_at)}
      </div>
      <div className="relative z-10">
        <RowMenu document={document} />
      </div>
    </div>
  )
}
