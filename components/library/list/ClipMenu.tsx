"use client"
import { client } from "../../api/client.ts"
import { useLabelClips } from "../../api/clips.ts"
import { useDeleteRecording } from "../../api/delete-recording.ts"
import { IconButton } from "../../ui/Button.tsx"
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../../ui/Menu.tsx"
import type { ClipRow } from "./library-params.ts"

type ClipMenuProps = { clip: ClipRow; onRename: () => void; onTag: () => void }

/** The actions for a recording in the library. */
export const ClipMenu = ({ clip, onRename, onTag }: ClipMenuProps) => {
  const remove = useDeleteRecording()
  const label = useLabelClips()
  return (
    <Menu
      align="end"
      trigger={<IconButton name="more" label={`Actions for ${clip.title}`} className="size-9 max-sm:size-11" />}
    >
      <MenuItem icon="edit" onSelect={onRename}>
        Rename
      </MenuItem>
      <MenuItem icon="tag" onSelect={onTag}>
        Tags…
      </MenuItem>
      <MenuItem icon="star" onSelect={() => label.mutate({ ids: [clip.id], favorite: !clip.favorite })}>
        {clip.favorite ? "Remove from favorites" : "Add to favorites"}
      </MenuItem>
      {clip.strip.length > 0 && (
        <MenuLink icon="map" href={`/viz?clip=${encodeURIComponent(clip.id)}`}>
          Show on map
        </MenuLink>
      )}
      <MenuLink icon="save" download href={client.exportUrl(clip.id, "md")} hint=".md">
        Export as Markdown
      </MenuLink>
      <MenuSeparator />
      <MenuItem icon="trash" tone="bad" onSelect={() => remove(clip)}>
        Delete
      </MenuItem>
    </Menu>
  )
}
