"use client"
import type { ClipEntry } from "#lib/domain/clips.ts"
import { client } from "../../api/client.ts"
import { useDeleteRecording } from "../../api/delete-recording.ts"
import { IconButton } from "../../ui/Button.tsx"
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../../ui/Menu.tsx"

/** The actions for a recording in the library. */
export const ClipMenu = ({ clip, onRename }: { clip: ClipEntry; onRename: () => void }) => {
  const remove = useDeleteRecording()
  return (
    <Menu align="end" trigger={<IconButton name="more" label={`Actions for ${clip.title}`} className="size-8" />}>
      <MenuItem icon="edit" onSelect={onRename}>
        Rename
      </MenuItem>
      {clip.topics.length > 0 && (
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
