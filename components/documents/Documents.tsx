"use client"
import { type ReactNode, useCallback, useEffect, useState } from "react"
import { errorMessage, isUnreachable } from "../api/client.ts"
import { useOffline } from "../api/readiness.ts"
import { FilterChip } from "../library/list/FilterChip.tsx"
import { VirtualRows } from "../library/list/VirtualRows.tsx"
import { useDebouncedValue } from "../search/use-library-search.ts"
import { LibraryTabs } from "../shell/LibraryTabs.tsx"
import { OfflineNotice } from "../shell/OfflineNotice.tsx"
import { Button } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { Menu, MenuGroup, MenuItem } from "../ui/Menu.tsx"
import { Notice } from "../ui/Notice.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { AddFolderForm, DropZone } from "./AddDocuments.tsx"
import { COLUMNS, DocumentRow } from "./DocumentRows.tsx"
import { useDocuments, useHiddenDocuments } from "./document-data.ts"
import { type DocumentParams, type DocumentSort, SORTS, useDocumentParams } from "./document-params.ts"
import { FORMAT_NAMES } from "./format-names.ts"

const ROW_PX = 56
const rowHeight = () => ROW_PX

type ToolbarProps = {
  params: DocumentParams
  onChange: (params: DocumentParams) => void
  isAdding: boolean
  onAdd: () => void
}

const Toolbar = ({ params, onChange, isAdding, onAdd }: ToolbarProps) => {
  const [query, setQuery] = useState(params.q ?? "")
  const wanted = useDebouncedValue(query).trim()
  useEffect(() => {
    if (wanted !== (params.q ?? "")) onChange({ ...params, q: wanted || undefined })
  }, [wanted, params, onChange])
  const sort = params.sort ?? "-created_at"
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField label="Search names and titles" value={query} onChange={setQuery} />
      <FilterChip
        label="Kind"
        value={params.format && FORMAT_NAMES[params.format]}
        onClear={() => onChange({ ...params, format: undefined })}
      >
        <MenuGroup label="Kind">
          {(Object.entries(FORMAT_NAMES) as [keyof typeof FORMAT_NAMES, string][]).map(([value, label]) => (
            <MenuItem
              key={value}
              checked={value === params.format}
              onSelect={() => onChange({ ...params, format: value })}
            >
              {label}
            </MenuItem>
          ))}
        </MenuGroup>
      </FilterChip>
      <Menu
        align="end"
        trigger={
          <Button icon="split" aria-label={`Sort: ${SORTS[sort]}`} className="max-sm:size-11 max-sm:px-0">
            <span className="max-sm:hidden">{SORTS[sort]}</span>
          </Button>
        }
      >
        <MenuGroup label="Sort">
          {(Object.entries(SORTS) as [DocumentSort, string][]).map(([value, label]) => (
            <MenuItem key={value} checked={value === sort} onSelect={() => onChange({ ...params, sort: value })}>
              {label}
            </MenuItem>
          ))}
        </MenuGroup>
      </Menu>
      <Button
        variant="primary"
        icon="plus"
        aria-expanded={isAdding}
        onClick={onAdd}
        aria-label="Add documents"
        className="max-sm:size-11 max-sm:px-0"
      >
        <span className="max-sm:hidden">Add</span>
      </Button>
    </div>
  )
}

const ColumnNames = () => (
  <div aria-hidden="true" className={cx(COLUMNS, "h-9 border-b border-line-strong text-xs text-muted max-sm:hidden")}>
    <div className="pl-2">Name</div>
    <div>Kind</div>
    <div className="pr-4 text-right">Size</div>
    <div className="pr-4 text-right max-md:hidden">Passages</div>
    <div>Added</div>
    <div />
  </div>
)

const Skeleton = () => (
  <div aria-busy="true" className="grid animate-pulse">
    <span className="sr-only">Loading documents</span>
    {["52%", "45%", "38%", "49%", "41%"].map((width) => (
      <div key={width} className="flex h-14 items-center border-b border-line">
        <div className="h-4 rounded-full bg-line" style={{ width }} />
      </div>
    ))}
  </div>
)

const Empty = ({ children }: { children: ReactNode }) => (
  <p className="py-10 text-center text-soft [text-wrap:balance]">{children}</p>
)

/** The page of all documents: finds, opens, adds and deletes them. */
export const Documents = () => {
  const { offline, retry } = useOffline()
  const [params, setParams] = useDocumentParams()
  const [isAdding, setAdding] = useState(false)
  const documents = useDocuments({ sort: "-created_at", ...params })
  const hidden = useHiddenDocuments()
  const list = (documents.data?.pages ?? []).flatMap((page) => page.documents).filter(({ id }) => !hidden.has(id))
  const isFiltered = params.q !== undefined || params.format !== undefined
  const isEmpty = documents.isSuccess && !documents.isPlaceholderData && list.length === 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = documents
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <div className="grid grid-cols-1">
      <LibraryTabs />
      <h1 className="sr-only">Documents</h1>
      <div className="grid grid-cols-1 gap-4">
        {offline && <OfflineNotice onRetry={retry} />}
        <Toolbar params={params} onChange={setParams} isAdding={isAdding} onAdd={() => setAdding(!isAdding)} />
        <div className={cx("grid gap-4 sm:grid-cols-2", !isAdding && !(isEmpty && !isFiltered) && "hidden")}>
          <DropZone />
          <AddFolderForm />
        </div>
        {documents.isError && !isUnreachable(documents.error) && (
          <Notice onRetry={() => documents.refetch()}>{errorMessage(documents.error)}</Notice>
        )}
        <div className={cx("transition-opacity", (offline || documents.isPlaceholderData) && "opacity-60")}>
          {documents.isPending && !offline && <Skeleton />}
          {list.length > 0 && (
            <>
              <ColumnNames />
              <VirtualRows
                label="Documents"
                count={list.length}
                sizeOf={rowHeight}
                keyOf={(i) => list[i]!.id}
                render={(i) => <DocumentRow document={list[i]!} />}
                onEnd={loadMore}
              />
            </>
          )}
          {isEmpty &&
            (isFiltered ? (
              <Empty>No document matches.</Empty>
            ) : (
              <Empty>
                No documents yet. What you add here is searched with your recordings when you ask a question.
              </Empty>
            ))}
        </div>
      </div>
    </div>
  )
}
