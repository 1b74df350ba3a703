"use client"
import { useState } from "react"
import { useDeletePeople } from "../api/people.ts"
import { IconButton } from "../ui/Button.tsx"
import { lazyWithRetry } from "../ui/lazy-with-retry.tsx"
import { Menu, MenuItem, MenuSeparator } from "../ui/Menu.tsx"
import type { PersonAction } from "./PersonDialogs.tsx"

const PersonDialog = lazyWithRetry(() => import("./PersonDialogs.tsx").then((m) => m.PersonDialog), {
  overlay: true,
  onDismiss: ({ onClose }) => onClose(),
})

type Named = { readonly id: string; readonly name: string }

/** The actions of a person: rename, merge and delete. `onGone` is called when the person is merged or deleted. */
export const PersonMenu = ({
  person,
  onGone = () => {},
}: {
  person: Named
  onGone?: (remaining: Named | null) => void
}) => {
  const [action, setAction] = useState<PersonAction | null>(null)
  const remove = useDeletePeople()
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton name="more" label={`Actions for ${person.name}`} className="max-sm:size-11" />}
      >
        <MenuItem icon="edit" onSelect={() => setAction("rename")}>
          Rename…
        </MenuItem>
        <MenuItem icon="link" onSelect={() => setAction("merge")}>
          Merge into another person…
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="trash" onSelect={() => setAction("delete")}>
          Delete…
        </MenuItem>
      </Menu>
      {action && (
        <PersonDialog
          action={action}
          person={person}
          onClose={() => setAction(null)}
          onGone={onGone}
          onDelete={(deleted) => remove([deleted])}
        />
      )}
    </>
  )
}
