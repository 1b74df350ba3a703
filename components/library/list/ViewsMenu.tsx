"use client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client, errorMessage } from "../../api/client.ts"
import { useSavedViews } from "../../api/clips.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { Button } from "../../ui/Button.tsx"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { Menu, MenuGroup, MenuItem, MenuSeparator } from "../../ui/Menu.tsx"
import { notify, notifyError } from "../../ui/toast-queue.ts"
import { type LibraryParams, parseLibraryParams, toSearch } from "./library-params.ts"

const SaveViewDialog = lazyWithRetry(() => import("./SaveViewDialog.tsx").then((m) => m.SaveViewDialog), {
  overlay: true,
  onDismiss: (p) => p.onClose(),
})

type ViewsMenuProps = { params: LibraryParams; onChange: (params: LibraryParams) => void }

/** The saved views of the library, and how to save what is shown. */
export const ViewsMenu = ({ params, onChange }: ViewsMenuProps) => {
  const queryClient = useQueryClient()
  const { data: views = [] } = useSavedViews()
  const [isSaving, setSaving] = useState(false)
  const query = toSearch(params)
  const current = views.find((view) => toSearch(parseLibraryParams(new URLSearchParams(view.query))) === query)
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeys.savedViews })
  const remove = async () => {
    if (!current) return
    try {
      await client.deleteSavedView(current.id)
      notify(`Deleted the view “${current.name}”`, () => {
        client
          .createSavedView({ name: current.name, query: current.query })
          .then(refresh, (error) => notifyError(errorMessage(error)))
      })
    } catch (error) {
      notifyError(errorMessage(error))
    }
    void refresh()
  }
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button icon="rows" aria-label={current ? `View: ${current.name}` : "Saved views"}>
            <span className="max-w-36 truncate max-lg:hidden">{current?.name ?? "Views"}</span>
          </Button>
        }
      >
        <MenuGroup label="Saved views">
          <MenuItem checked={query === ""} onSelect={() => onChange({})}>
            All recordings
          </MenuItem>
          {views.map((view) => (
            <MenuItem
              key={view.id}
              checked={view.id === current?.id}
              onSelect={() => onChange(parseLibraryParams(new URLSearchParams(view.query)))}
            >
              {view.name}
            </MenuItem>
          ))}
        </MenuGroup>
        <MenuSeparator />
        {current ? (
          <MenuItem icon="trash" tone="bad" onSelect={() => void remove()}>
            Delete “{current.name}”
          </MenuItem>
        ) : (
          <MenuItem icon="plus" disabled={query === ""} onSelect={() => setSaving(true)}>
            Save this view…
          </MenuItem>
        )}
      </Menu>
      {isSaving && <SaveViewDialog query={query} onClose={() => setSaving(false)} />}
    </>
  )
}
