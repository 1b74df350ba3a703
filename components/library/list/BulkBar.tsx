"use client"
import { useQueryClient } from "@tanstack/react-query"
import pMap from "p-map"
import { useState } from "react"
import { EXPORT_FORMATS } from "#lib/domain/constants.ts"
import { client, errorMessage } from "../../api/client.ts"
import { useLabelClips } from "../../api/clips.ts"
import { useDeleteRecordings } from "../../api/delete-recording.ts"
import { invalidateJobs } from "../../api/query-keys.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { formatCount } from "../../ui/format.ts"
import { Menu, MenuItem, MenuLink } from "../../ui/Menu.tsx"
import { notify, notifyError } from "../../ui/toast-queue.ts"
import { FORMAT_LABELS } from "./format-labels.ts"
import type { ClipRow } from "./library-params.ts"

type BulkBarProps = {
  clips: readonly ClipRow[]
  onTag: () => void
  onSelectAll: () => void
  onClear: () => void
}

/** The number of recordings in one zip file: so many IDs fit into an address. */
const MAX_EXPORTED = 200
const CONCURRENCY = 4

/** The actions for the selected recordings, at the bottom of the window. */
export const BulkBar = ({ clips, onTag, onSelectAll, onClear }: BulkBarProps) => {
  const queryClient = useQueryClient()
  const remove = useDeleteRecordings()
  const label = useLabelClips()
  const [isRunning, setRunning] = useState(false)
  const ids = clips.map(({ id }) => id)
  const areFavorites = clips.every(({ favorite }) => favorite)
  const exported = ids.slice(0, MAX_EXPORTED)
  const rerun = async () => {
    setRunning(true)
    const errors: unknown[] = []
    await pMap(ids, (id) => client.rerunTopics(id, {}).catch((error: unknown) => errors.push(error)), {
      concurrency: CONCURRENCY,
    })
    setRunning(false)
    void invalidateJobs(queryClient)
    if (errors.length > 0) notifyError(`${formatCount(errors.length, "job")} not started. ${errorMessage(errors[0])}`)
    if (errors.length < ids.length) notify(`${formatCount(ids.length - errors.length, "job")} started`)
    onClear()
  }
  return (
    <section
      aria-label="Selected recordings"
      className="fixed inset-x-3 bottom-[calc(4.25rem+env(safe-area-inset-bottom))] z-30 mx-auto flex w-fit max-w-full animate-rise items-center gap-1 overflow-x-auto rounded-full border border-line bg-raised py-1.5 pr-1.5 pl-4 shadow-float sm:bottom-6"
    >
      <p role="status" className="numeric mr-2 text-sm whitespace-nowrap">
        {clips.length} selected
      </p>
      <Button variant="quiet" onClick={onSelectAll} className="max-md:hidden">
        Select all loaded
      </Button>
      <Button variant="quiet" icon="tag" onClick={onTag}>
        Tag
      </Button>
      <Button
        variant="quiet"
        icon="star"
        onClick={() => label.mutate({ ids, favorite: !areFavorites })}
        aria-label={areFavorites ? "Remove from favorites" : "Add to favorites"}
      />
      <Menu
        align="end"
        trigger={
          <Button variant="quiet" icon="save">
            Export
          </Button>
        }
      >
        {EXPORT_FORMATS.map((format) => (
          <MenuLink key={format} download href={client.exportClipsUrl({ format, ids: exported })} hint=".zip">
            {FORMAT_LABELS[format]}
          </MenuLink>
        ))}
        {ids.length > MAX_EXPORTED && (
          <MenuItem disabled onSelect={() => undefined}>
            The first {MAX_EXPORTED} are exported
          </MenuItem>
        )}
      </Menu>
      <Button variant="quiet" icon="retry" disabled={isRunning} onClick={rerun}>
        Run again
      </Button>
      <Button
        variant="quiet"
        icon="trash"
        onClick={() => {
          remove(clips)
          onClear()
        }}
      >
        Delete
      </Button>
      <IconButton name="close" label="Clear the selection" onClick={onClear} />
    </section>
  )
}
