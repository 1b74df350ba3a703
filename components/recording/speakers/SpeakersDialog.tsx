"use client"
import Link from "next/link"
import { type FormEvent, useId, useState } from "react"
import type { ClipSpeakerPatch } from "#lib/api/client/types.ts"
import { hasKnownSpeakers } from "../../library/list/speaker-summary.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field } from "../../ui/Field.tsx"
import { formatClock, formatPercent } from "../../ui/format.ts"
import { hueStyle, SPEAKER_HUE_OFFSET } from "../../ui/hues.ts"
import { Menu, MenuGroup, MenuItem } from "../../ui/Menu.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { useRecording } from "../recording-context.ts"
import { describeEditError, useEditClip, useWordEdits } from "../recording-data.ts"
import { useClipSpeakers, useEditClipSpeaker, useKnownNames } from "./clip-speakers.ts"
import { Recognition } from "./Recognition.tsx"
import type { Speaker } from "./speakers.ts"
import { closeSpeakersDialog, useSpeakersDialog } from "./speakers-dialog-store.ts"

const MergeMenu = ({ speaker, onMerge }: { speaker: Speaker; onMerge: (into: Speaker) => void }) => {
  const { speakers } = useRecording()
  const others = speakers.filter((other) => other.id !== speaker.id)
  if (others.length === 0) return null
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="quiet" aria-label={`Merge ${speaker.name} with another speaker`}>
          Merge…
        </Button>
      }
    >
      <MenuGroup label={`Merge ${speaker.name} into`}>
        {others.map((other) => (
          <MenuItem key={other.id} onSelect={() => onMerge(other)}>
            {other.name}
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  )
}

const SpeakersForm = ({ first }: { first: string | null }) => {
  const { clip, speakers } = useRecording()
  const patch = useEditClip(clip.id)
  const correct = useWordEdits(clip.id)
  const recognized = useClipSpeakers(clip.id)
  const editSpeaker = useEditClipSpeaker(clip.id)
  const [typed, setTyped] = useState("")
  const knownNames = useKnownNames(typed)
  const listId = useId()
  const [names, setNames] = useState<Readonly<Record<string, string>>>(clip.speakers)
  const total = Math.max(
    1,
    speakers.reduce((sum, speaker) => sum + speaker.duration_s, 0),
  )
  const failed = patch.error ?? correct.error ?? editSpeaker.error
  /** Saves changed names first and keeps the dialog open until everything is saved. */
  const save = (wanted: Readonly<Record<string, string>>, onSaved: () => void) => {
    const changed = Object.entries(wanted).filter(([id, name]) => name.trim() !== (clip.speakers[id] ?? ""))
    if (changed.length > 0) patch.mutate({ speakers: Object.fromEntries(changed) }, { onSuccess: onSaved })
    else onSaved()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(names, closeSpeakersDialog)
  }
  const changePerson = (speaker: string, change: ClipSpeakerPatch) =>
    editSpeaker.mutate(
      { speaker, patch: change },
      {
        onSuccess: (result) => {
          // Names that are being typed for other speakers stay.
          const name = result.speakers.find((one) => one.speaker === speaker)?.name ?? ""
          if (change.rejected_person_id === undefined) setNames((now) => ({ ...now, [speaker]: name }))
        },
      },
    )
  const merge = (from: Speaker, into: Speaker) => {
    // The remaining speaker keeps its name, or takes the other one's if it has none.
    const name = names[from.id]
    save(name && !names[into.id] ? { ...names, [into.id]: name } : names, () =>
      correct.mutate(
        {
          edits: [{ kind: "merge", from: from.id, into: into.id }],
          message: `Merged ${from.name} into ${into.name}`,
          isFromForm: true,
        },
        { onSuccess: closeSpeakersDialog },
      ),
    )
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <ul className="grid gap-3">
        {speakers.map((speaker) => (
          <li key={speaker.id} style={hueStyle(SPEAKER_HUE_OFFSET + speaker.rank)} className="grid gap-1.5">
            <div className="flex items-center gap-2.5">
              <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full bg-tint" />
              <div className="min-w-0 flex-1">
                <Field
                  hideLabel
                  label={`Name of ${speaker.name}`}
                  placeholder={speaker.name}
                  value={names[speaker.id] ?? ""}
                  maxLength={200}
                  list={listId}
                  autoComplete="off"
                  onFocus={(event) => setTyped(event.target.value)}
                  {...(speaker.id === first && { "data-first": "" })}
                  onChange={(event) => {
                    setNames({ ...names, [speaker.id]: event.target.value })
                    setTyped(event.target.value)
                  }}
                />
              </div>
              <MergeMenu speaker={speaker} onMerge={(into) => merge(speaker, into)} />
            </div>
            <div className="ml-5 flex items-center gap-3">
              <span className="h-1 flex-1 overflow-hidden rounded-full bg-line">
                <span
                  className="block h-full rounded-full bg-tint"
                  style={{ width: `${(100 * speaker.duration_s) / total}%` }}
                />
              </span>
              <span className="numeric text-xs text-muted">
                {formatClock(speaker.duration_s)} · {formatPercent(speaker.duration_s / total)}
              </span>
            </div>
            <div className="ml-5">
              <Recognition
                speaker={recognized.data?.speakers.find((one) => one.speaker === speaker.id)}
                disabled={editSpeaker.isPending}
                onChange={(change) => changePerson(speaker.id, change)}
              />
            </div>
          </li>
        ))}
      </ul>
      <datalist id={listId}>
        {knownNames.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {failed !== null && <Notice>Couldn't save the speakers. {describeEditError(failed, clip.id)}</Notice>}
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={closeSpeakersDialog}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant="primary"
          disabled={patch.isPending || correct.isPending || editSpeaker.isPending}
        >
          Save names
        </Button>
      </div>
    </form>
  )
}

/** Renames and merges speakers. */
export const SpeakersDialog = () => {
  const { open, speakerId } = useSpeakersDialog()
  const { clip, speakers } = useRecording()
  const isDiarized = hasKnownSpeakers({ diarized: clip.diarized, voices: speakers.length })
  return (
    <Dialog
      open={open}
      onClose={closeSpeakersDialog}
      title="Speakers"
      lead="Names appear in the transcript and in exported files."
    >
      <div className="grid gap-4">
        {!isDiarized && speakers.length > 0 && (
          <Notice tone="plain" title="No speaker labels">
            All words are assigned to one speaker. To identify speakers, download the speaker models on the{" "}
            <Link
              href="/settings/models"
              onClick={closeSpeakersDialog}
              className="rounded-sm font-[560] text-ink underline underline-offset-4"
            >
              Models page
            </Link>
            page, then re-transcribe this recording.
          </Notice>
        )}
        <SpeakersForm first={speakerId} />
      </div>
    </Dialog>
  )
}
