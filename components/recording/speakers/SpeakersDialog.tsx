"use client"
import Link from "next/link"
import { type FormEvent, useState } from "react"
import { isToldApart } from "../../library/speakers.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field } from "../../ui/Field.tsx"
import { clock, percent } from "../../ui/format.ts"
import { hueStyle, VOICE_HUE } from "../../ui/hues.ts"
import { Menu, MenuGroup, MenuItem } from "../../ui/Menu.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { useRecording } from "../context.ts"
import { problem, useCorrect, usePatch } from "../data.ts"
import type { Voice } from "./speakers.ts"
import { closeVoices, useVoicesDialog } from "./speakers-dialog-store.ts"

const MergeInto = ({ voice, onMerge }: { voice: Voice; onMerge: (into: Voice) => void }) => {
  const { voices } = useRecording()
  const others = voices.filter((v) => v.id !== voice.id)
  if (others.length === 0) return null
  return (
    <Menu
      align="end"
      trigger={
        <Button look="quiet" aria-label={`${voice.name} is the same as…`}>
          Same as…
        </Button>
      }
    >
      <MenuGroup label={`${voice.name} is really`}>
        {others.map((other) => (
          <MenuItem key={other.id} onSelect={() => onMerge(other)}>
            {other.name}
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  )
}

const Form = ({ first }: { first: string | null }) => {
  const { clip, voices } = useRecording()
  const patch = usePatch(clip.id)
  const correct = useCorrect(clip.id)
  const [names, setNames] = useState<Readonly<Record<string, string>>>(clip.speakers)
  const total = Math.max(
    1,
    voices.reduce((sum, v) => sum + v.seconds, 0),
  )
  const failed = patch.error ?? correct.error
  /** What was written so far is saved whatever is done here; the list stays open until all of it is. */
  const save = (wanted: Readonly<Record<string, string>>, then: () => void) => {
    const changed = Object.entries(wanted).filter(([id, name]) => name.trim() !== (clip.speakers[id] ?? ""))
    if (changed.length > 0) patch.mutate({ speakers: Object.fromEntries(changed) }, { onSuccess: then })
    else then()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(names, closeVoices)
  }
  const merge = (from: Voice, into: Voice) => {
    // The one that stays keeps its name; if only the other had one, it is theirs now.
    const name = names[from.id]
    save(name && !names[into.id] ? { ...names, [into.id]: name } : names, () =>
      correct.mutate(
        {
          edits: [{ kind: "merge", from: from.id, into: into.id }],
          said: `${from.name} and ${into.name} are now one`,
          written: true,
        },
        { onSuccess: closeVoices },
      ),
    )
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <ul className="grid gap-3">
        {voices.map((voice) => (
          <li key={voice.id} style={hueStyle(VOICE_HUE + voice.rank)} className="grid gap-1.5">
            <div className="flex items-center gap-2.5">
              <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full bg-tint" />
              <div className="min-w-0 flex-1">
                <Field
                  hidden
                  label={`Name of ${voice.name}`}
                  placeholder={voice.name}
                  value={names[voice.id] ?? ""}
                  maxLength={200}
                  {...(voice.id === first && { "data-first": "" })}
                  onChange={(event) => setNames({ ...names, [voice.id]: event.target.value })}
                />
              </div>
              <MergeInto voice={voice} onMerge={(into) => merge(voice, into)} />
            </div>
            <div className="ml-5 flex items-center gap-3">
              <span className="h-1 flex-1 overflow-hidden rounded-full bg-line">
                <span
                  className="block h-full rounded-full bg-tint"
                  style={{ width: `${(100 * voice.seconds) / total}%` }}
                />
              </span>
              <span className="numeric text-xs text-muted">
                {clock(voice.seconds)} · {percent(voice.seconds / total)}
              </span>
            </div>
          </li>
        ))}
      </ul>
      {failed && <Notice>Not saved: {problem(failed, clip.id)}</Notice>}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={closeVoices}>
          Cancel
        </Button>
        <Button type="submit" look="primary" disabled={patch.isPending || correct.isPending}>
          Save names
        </Button>
      </div>
    </form>
  )
}

/** Who speaks: names for everyone, and two who are one. */
export const SpeakersDialog = () => {
  const { open, voice } = useVoicesDialog()
  const { clip, voices } = useRecording()
  const apart = isToldApart({ diarized: clip.diarized, voices: voices.length })
  return (
    <Dialog
      open={open}
      onClose={closeVoices}
      title="Speakers"
      lead="Names stand in the transcript and in every file that you export."
    >
      <div className="grid gap-4">
        {!apart && voices.length > 0 && (
          <Notice tone="plain" title="Voices were not told apart">
            All words stand under one name, however many speak. Fetch a speech model on the page{" "}
            <Link
              href="/status"
              onClick={closeVoices}
              className="rounded-sm font-[560] text-ink underline underline-offset-4"
            >
              Status
            </Link>
            , then run this recording again.
          </Notice>
        )}
        <Form first={voice} />
      </div>
    </Dialog>
  )
}
