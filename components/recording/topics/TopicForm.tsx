"use client"
import { type FormEvent, useMemo, useState } from "react"
import { MAX_TITLE_CHARS } from "#lib/domain/constants.ts"
import type { TopicPatch } from "#lib/domain/topics/topic-edits.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field, TextField } from "../../ui/Field.tsx"
import { clock, seconds } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { useRecording } from "../context.ts"
import { problem } from "../data.ts"
import { now } from "../player/player.ts"
import { type Border, bordersOf } from "./boundaries.ts"
import { useTopicEdits } from "./topic-data.ts"
import { type EditedTopic, topicsOf } from "./topics.ts"

type PlaceProps = {
  label: string
  value: string
  /** Missing: the recording itself begins or ends there. */
  border: Border | undefined
  problem: string | null
  onChange: (text: string) => void
}

const Place = ({ label, value, border, problem, onChange }: PlaceProps) => (
  <div className="flex items-start gap-1.5">
    <div className="w-44">
      <Field
        label={label}
        value={value}
        inputMode="numeric"
        disabled={!border}
        hint={border ? undefined : "as the recording itself"}
        error={problem}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
    {border && (
      <Button
        className="mt-6"
        onClick={() => onChange(clock(now()))}
        title="Take the second at which the player stands"
      >
        Here
      </Button>
    )}
  </div>
)

/** What is wrong with a time as it is written: only one that was changed has to be right. */
const problemOf = (text: string, was: number, border: Border | undefined, low = border?.low): string | null => {
  if (text === clock(was) || !border || low === undefined) return null
  const to = seconds(text)
  if (to === null) return "Write it as 1:23"
  return to > low && to < border.high ? null : `Only after ${clock(low)} and before ${clock(border.high)}`
}

const Form = ({ topic: { number, node }, onClose }: { topic: EditedTopic; onClose: () => void }) => {
  const { clip } = useRecording()
  const { edit, reset } = useTopicEdits(clip.id)
  const [title, setTitle] = useState(node.title)
  const [summary, setSummary] = useState(node.summary)
  const [from, setFrom] = useState(clock(node.start_s))
  const [to, setTo] = useState(clock(node.end_s))
  const whole = number === "1"
  const borders = useMemo(() => bordersOf(topicsOf(clip.tree)), [clip.tree])
  const [start, end] = [
    borders.find((b) => b.at === node.start_s),
    borders.find((b) => b.at >= node.end_s && b.at > node.start_s),
  ]
  const startProblem = problemOf(from, node.start_s, start)
  // A topic without parts ends behind where it begins now.
  const first = startProblem === null && end?.low === node.start_s ? (seconds(from) ?? undefined) : undefined
  const endProblem = problemOf(to, node.end_s, end, from === clock(node.start_s) ? undefined : first)
  const failed = edit.error ?? reset.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [start_s, end_s] = [seconds(from), seconds(to)]
    if (start_s === null || end_s === null || startProblem || endProblem) return
    const patch: TopicPatch = {
      ...(title.trim() !== node.title && { title }),
      ...(summary.trim() !== node.summary && { summary }),
      ...(from !== clock(node.start_s) && { start_s }),
      ...(to !== clock(node.end_s) && { end_s }),
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
      {!whole && (
        <div className="flex flex-wrap gap-5">
          <Place label="Begins" value={from} border={start} problem={startProblem} onChange={setFrom} />
          <Place label="Ends" value={to} border={end} problem={endProblem} onChange={setTo} />
        </div>
      )}
      {failed ? <Notice>Not saved: {problem(failed, clip.id)}</Notice> : null}
      <div className="flex flex-wrap justify-end gap-2">
        {node.edited && (
          <Button
            look="quiet"
            icon="retry"
            className="mr-auto"
            disabled={reset.isPending}
            onClick={() => reset.mutate({ number, node }, { onSuccess: onClose })}
          >
            As the run had it
          </Button>
        )}
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" disabled={!title.trim() || edit.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}

/** Writes over a topic: what it is called, what it says of it, where it begins and ends. */
export const TopicForm = ({ topic, onClose }: { topic: EditedTopic | null; onClose: () => void }) => (
  <Dialog
    open={topic !== null}
    onClose={onClose}
    title={topic?.number === "1" ? "The recording as a whole" : "Edit the topic"}
    lead="A border is its neighbour's too, and is moved to the nearest word. Later runs leave your words alone."
  >
    {topic && <Form key={topic.number} topic={topic} onClose={onClose} />}
  </Dialog>
)
