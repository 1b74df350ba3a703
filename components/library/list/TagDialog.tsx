"use client"
import { type FormEvent, useState } from "react"
import { useFacets, useLabelClips } from "../../api/clips.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field } from "../../ui/Field.tsx"
import { formatCount } from "../../ui/format.ts"
import type { ClipRow } from "./library-params.ts"

type TagDialogProps = { clips: readonly Pick<ClipRow, "id" | "title" | "tags">[]; onClose: () => void }

/** Whether all, some or none of the recordings have a tag. */
type Share = "all" | "some" | "none"

const MAX_OFFERED = 60

const has = (tags: readonly string[], tag: string): boolean =>
  tags.some((other) => other.toLowerCase() === tag.toLowerCase())

/** Adds and removes tags of one or more recordings. */
export const TagDialog = ({ clips, onClose }: TagDialogProps) => {
  const { data: facets } = useFacets()
  const label = useLabelClips()
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [text, setText] = useState("")
  const used = [...new Set(clips.flatMap((clip) => clip.tags))]
  const known = [...used, ...(facets?.tags.map(({ name }) => name) ?? []), ...changes.keys()]
  const offered = known.filter((tag, i) => !has(known.slice(0, i), tag))
  const shown = offered
    .filter((tag) => tag.toLowerCase().includes(text.trim().toLowerCase()) || changes.has(tag))
    .slice(0, MAX_OFFERED)
  const shareOf = (tag: string): Share => {
    const change = changes.get(tag)
    if (change !== undefined) return change ? "all" : "none"
    const n = clips.filter((clip) => has(clip.tags, tag)).length
    return n === 0 ? "none" : n === clips.length ? "all" : "some"
  }
  const toggle = (tag: string) => setChanges((before) => new Map(before).set(tag, shareOf(tag) !== "all"))
  const names = text
    .split(",")
    .map((name) => name.trim().slice(0, 100))
    .filter((name) => name !== "")
  const addTyped = () => {
    setChanges((before) => {
      const next = new Map(before)
      for (const name of names) next.set(offered.find((tag) => has([tag], name)) ?? name, true)
      return next
    })
    setText("")
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (names.length > 0) return addTyped()
    const list = (isAdded: boolean) => [...changes].flatMap(([tag, added]) => (added === isAdded ? [tag] : []))
    const [add_tags, remove_tags] = [list(true), list(false)]
    if (add_tags.length + remove_tags.length > 0)
      label.mutate({ ids: clips.map(({ id }) => id), add_tags, remove_tags })
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Tags"
      lead={clips.length === 1 ? clips[0]!.title : formatCount(clips.length, "recording")}
    >
      <form onSubmit={submit} className="grid gap-4">
        <Field
          label="Find or add a tag"
          value={text}
          maxLength={200}
          autoComplete="off"
          placeholder="Type a name, then Enter"
          onChange={(event) => setText(event.target.value)}
        />
        {shown.length > 0 && (
          <ul className="flex max-h-52 flex-wrap gap-2 overflow-y-auto">
            {shown.map((tag) => {
              const share = shareOf(tag)
              return (
                <li key={tag}>
                  <button
                    type="button"
                    aria-pressed={share === "some" ? "mixed" : share === "all"}
                    onClick={() => toggle(tag)}
                    className={cx(
                      "h-8 max-w-64 truncate rounded-full border px-3 text-sm transition max-sm:h-11",
                      share === "all" && "border-accent bg-accent-wash text-ink",
                      share === "some" && "border-dashed border-accent text-ink",
                      share === "none" && "border-line text-soft hover:border-line-strong",
                    )}
                  >
                    <bdi>{tag}</bdi>
                  </button>
                </li>
              )
            })}
          </ul>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary">
            {names.length > 0 ? "Add tag" : "Save"}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
