"use client"
import { type FormEvent, useState } from "react"
import type { ReplacementHit, SkippedHit } from "#lib/domain/replacements.ts"
import { errorMessage } from "../api/client.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { formatClock, formatCount } from "../ui/format.ts"
import { Notice } from "../ui/Notice.tsx"
import { HitList, keyOfHit } from "./HitList.tsx"
import { MAX_SHOWN_HITS, usePreviewHits } from "./use-preview-hits.ts"
import { useReplace } from "./use-replace.ts"

type ReplaceDialogProps = {
  /** The recording in which to replace; absent for the library. */
  clipId?: string
  find?: string
  onClose: () => void
}

const REASONS: Readonly<Record<SkippedHit["reason"], string>> = {
  changed: "the words have changed meanwhile",
  missing: "the recording was deleted",
  full: "the recording has too many corrections",
}

const Skipped = ({ hits }: { hits: readonly SkippedHit[] }) => (
  <Notice title={`${formatCount(hits.length, "hit")} left alone`}>
    <ul>
      {hits.slice(0, 5).map(({ clip_id, start_s, text, reason }) => (
        <li key={`${clip_id} ${start_s}`}>
          “{text}” at {formatClock(start_s)}: {REASONS[reason]}
        </li>
      ))}
      {hits.length > 5 && <li>and {hits.length - 5} more</li>}
    </ul>
  </Notice>
)

const Check = ({ label, checked, onChange }: { label: string; checked: boolean; onChange: (on: boolean) => void }) => (
  <label className="flex items-center gap-2 text-sm max-sm:min-h-11">
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
      className="size-4 accent-accent"
    />
    {label}
  </label>
)

/** Finds a text in one transcript or in all of them, shows every hit with what it becomes, and replaces the chosen ones. */
export const ReplaceDialog = ({ clipId, find: initial = "", onClose }: ReplaceDialogProps) => {
  const [find, setFind] = useState(initial)
  const [replaceWith, setReplaceWith] = useState("")
  const [wholeWords, setWholeWords] = useState(true)
  const [matchCase, setMatchCase] = useState(false)
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const what = {
    find,
    replace_with: replaceWith,
    whole_words: wholeWords,
    match_case: matchCase,
    ...(clipId !== undefined && { clip_id: clipId }),
  }
  const { found, progress, isTyping } = usePreviewHits(what)
  const { state, replace } = useReplace((skipped) => {
    if (skipped.length === 0) onClose()
    else void found.refetch()
  })
  const clips = found.data?.clips ?? []
  const hits = clips.flatMap((clip) => clip.hits)
  const chosen = hits.filter((hit) => !excluded.has(keyOfHit(hit)))
  const isSearching = find.trim() !== "" && (found.isFetching || isTyping)
  const isReady = !isSearching && !state.isPending && chosen.length > 0

  const toggle = (toggled: readonly ReplacementHit[], isIncluded: boolean) =>
    setExcluded((before) => {
      const next = new Set(before)
      for (const key of toggled.map(keyOfHit)) isIncluded ? next.delete(key) : next.add(key)
      return next
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) void replace(what, chosen)
  }
  const status = (): string => {
    if (find.trim() === "") return "Enter what to find."
    if (state.isPending) return `Replaced ${state.done} of ${state.total}…`
    if (isSearching)
      return progress.total > 1 ? `Searched ${progress.searched} of ${progress.total} recordings…` : "Searching…"
    if (hits.length === 0) return "No hits."
    const where = clipId === undefined ? ` in ${formatCount(clips.length, "recording")}` : ""
    return `${found.data?.isCapped ? `The first ${MAX_SHOWN_HITS.toLocaleString("en")} hits` : formatCount(hits.length, "hit")}${where}`
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Find and replace"
      lead={`In ${clipId === undefined ? "all recordings" : "this recording"}. Transcribing again keeps the changes.`}
    >
      <form onSubmit={submit} className="grid min-h-0 gap-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field
            label="Find"
            data-first
            value={find}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setFind(event.target.value)}
          />
          <Field
            label="Replace with"
            value={replaceWith}
            maxLength={200}
            placeholder="Nothing: delete the words"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setReplaceWith(event.target.value)}
          />
        </div>
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          <Check label="Whole words" checked={wholeWords} onChange={setWholeWords} />
          <Check label="Match case" checked={matchCase} onChange={setMatchCase} />
        </div>
        {found.isError && <Notice onRetry={() => found.refetch()}>{errorMessage(found.error)}</Notice>}
        {state.error !== null && <Notice title="Couldn't replace the rest">{state.error}</Notice>}
        {state.skipped.length > 0 && <Skipped hits={state.skipped} />}
        <p role="status" className="numeric text-sm text-muted">
          {status()}
        </p>
        <div className="-mx-2 max-h-[38dvh] overflow-y-auto empty:hidden">
          {find.trim() !== "" && (
            <HitList clips={clips} withTitles={clipId === undefined} excluded={excluded} onToggle={toggle} />
          )}
        </div>
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" disabled={!isReady}>
            {replaceWith.trim() === "" ? "Delete" : "Replace"} {chosen.length > 0 && chosen.length.toLocaleString("en")}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
