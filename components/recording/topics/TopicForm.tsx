"use client"
import { type FormEvent, useMemo, useState } from "react"
import { MAX_TITLE_CHARS } from "#lib/domain/constants.ts"
import type { TopicPatch } from "#lib/domain/topics/topic-edits.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field, TextField } from "../../ui/Field.tsx"
import { formatClock, parseClock } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { getCurrentTime } from "../player/player.ts"
import { useRecording } from "../recording-context.ts"
import { describeEditError } from "../recording-data.ts"
import { type Boundary, listBoundaries } from "./boundaries.ts"
import { useTopicEdits } from "./topic-data.ts"
import { type EditedTopic, listTopics } from "./topic-list.ts"

type TimeFieldProps = {
  label: string
  value: string
  /** Undefined at the start and the end of the recording, which cannot be moved. */
  boundary: Boundary | undefined
  error: string | null
  onChange: (text: string) => void
}

const TimeField = ({ label, value, boundary, error, onChange }: TimeFieldProps) => (
  <div className="flex items-start gap-1.5">
    <div className="w-44">
      <Field
        label={label}
        value={value}
        inputMode="numeric"
        disabled={!boundary}
        hint={boundary ? undefined : "Fixed: edge of the recording"}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
    {boundary && (
      <Button
        className="mt-6"
        onClick={() => onChange(formatClock(getCurrentTime()))}
        title="Use the playback position"
      >
        Use current time
      </Button>
    )}
  </div>
)

/** Returns an error message for an entered time, or null if it is valid or unchanged. */
const validateTime = (
  text: string,
  was: number,
  boundary: Boundary | undefined,
  low = boundary?.min_s,
): string | null => {
  if (text === formatClock(was) || !boundary || low === undefined) return null
  const to = parseClock(text)
  if (to === null) return "Enter a time such as 1:23"
  return to > low && to < boundary.max_s
    ? null
    : `Must be between ${formatClock(low)} and ${formatClock(boundary.max_s)}`
}

const TopicForm = ({ topic: { number, node }, onClose }: { topic: EditedTopic; onClose: () => void }) => {
  const { clip } = useRecording()
  const { edit, reset } = useTopicEdits(clip.id)
  const [title, setTitle] = useState(node.title)
  const [summary, setSummary] = useState(node.summary)
  const [from, setFrom] = useState(formatClock(node.start_s))
  const [to, setTo] = useState(formatClock(node.end_s))
  const isRoot = number === "1"
  const boundaries = useMemo(() => listBoundaries(listTopics(clip.tree)), [clip.tree])
  const [start, end] = [
    boundaries.find((b) => b.time_s === node.start_s),
    boundaries.find((b) => b.time_s >= node.end_s && b.time_s > node.start_s),
  ]
  const startProblem = validateTime(from, node.start_s, start)
  // The end of a topic without subtopics is limited by its start, which may have been edited too.
  const first = startProblem === null && end?.min_s === node.start_s ? (parseClock(from) ?? undefined) : undefined
  const endProblem = validateTime(to, node.end_s, end, from === formatClock(node.start_s) ? undefined : first)
  const failed = edit.error ?? reset.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [start_s, end_s] = [parseClock(from), parseClock(to)]
    if (start_s === null || end_s === null || startProblem || endProblem) return
    const patch: TopicPatch = {
      ...(title.trim() !== node.title && { title }),
      ...(summary.trim() !== node.summary && { summary }),
      ...(from !== formatClock(node.start_s) && { start_s }),
      ...(to !== formatClock(node.end_s) && { end_s }),
    }
    if (Object.keys(patch).length > 0) edit.mutate({ number, node, patch }, { onSuccess: onClose })
    else onClose()
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field
        label="Title"
        value={title}
        maxLength={MAX_TITLE_CHARS}
        required
        onChange={(e) => setTitle(e.target.value)}
      />
      <TextField
        label="Summary"
        value={summary}
        maxLength={2000}
        rows={3}
        onChange={(e) => setSummary(e.target.value)}
      />
      {!isRoot && (
        <div className="flex flex-wrap gap-5">
          <TimeField label="Start" value={from} boundary={start} error={startProblem} onChange={setFrom} />
          <TimeField label="End" value={to} boundary={end} error={endProblem} onChange={setTo} />
        </div>
      )}
      {failed ? <Notice>Couldn't save the topic. {describeEditError(failed, clip.id)}</Notice> : null}
      <div className="flex flex-wrap justify-end gap-2">
        {node.edited && (
          <Button
            variant="quiet"
            icon="retry"
            className="mr-auto"
            disabled={reset.isPending}
            onClick={() => reset.mutate({ number, node }, { onSuccess: onClose })}
          >
            Revert to original
          </Button>
        )}
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabled={!title.trim() || edit.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}

/** Edits the title, summary, start and end of a topic. */
export const TopicDialog = ({ topic, onClose }: { topic: EditedTopic | null; onClose: () => void }) => (
  <Dialog
    open={topic !== null}
    onClose={onClose}
    title={topic?.number === "1" ? "Edit recording summary" : "Edit topic"}
    lead="Times snap to the nearest word and also move the neighboring topic. Later runs keep your edits."
  >
    {topic && <TopicForm key={topic.number} topic={topic} onClose={onClose} />}
  </Dialog>
)
