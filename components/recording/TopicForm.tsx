"use client"
import { type FormEvent, useState } from "react"
import { MAX_TITLE } from "#lib/contracts/names.ts"
import type { TopicPatch } from "#lib/contracts/topic-edits.ts"
import type { TopicNode } from "#lib/contracts/topics.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Field, TextField } from "../ui/Field.tsx"
import { clock, seconds } from "../ui/format.ts"
import { useInHand } from "./context.ts"
import { now } from "./player.ts"
import { useTopicEdits } from "./topic-data.ts"

export type EditedTopic = { readonly number: string; readonly node: TopicNode }

type BorderProps = { label: string; value: string; onChange: (text: string) => void }

const Border = ({ label, value, onChange }: BorderProps) => (
  <div className="flex items-end gap-1.5">
    <div className="w-24">
      <Field
        label={label}
        value={value}
        inputMode="numeric"
        error={seconds(value) === null ? "as 1:23" : null}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
    <Button onClick={() => onChange(clock(now()))} title="Take the second at which the player stands">
      Here
    </Button>
  </div>
)

const Form = ({ topic: { number, node }, onClose }: { topic: EditedTopic; onClose: () => void }) => {
  const { clip } = useInHand()
  const { edit, reset } = useTopicEdits(clip.id)
  const [title, setTitle] = useState(node.title)
  const [summary, setSummary] = useState(node.summary)
  const [from, setFrom] = useState(clock(node.start_s))
  const [to, setTo] = useState(clock(node.end_s))
  const whole = number === "1"
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [start_s, end_s] = [seconds(from), seconds(to)]
    if (start_s === null || end_s === null) return
    const patch: TopicPatch = {
      ...(title.trim() !== node.title && { title }),
      ...(summary.trim() !== node.summary && { summary }),
      ...(from !== clock(node.start_s) && { start_s }),
      ...(to !== clock(node.end_s) && { end_s }),
    }
    if (Object.keys(patch).length > 0) edit.mutate({ topic: number, patch })
    onClose()
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field label="Title" value={title} maxLength={MAX_TITLE} required onChange={(e) => setTitle(e.target.value)} />
      <TextField
        label="Summary"
        value={summary}
        maxLength={2000}
        rows={3}
        onChange={(e) => setSummary(e.target.value)}
      />
      {!whole && (
        <div className="flex flex-wrap gap-5">
          <Border label="Begins" value={from} onChange={setFrom} />
          <Border label="Ends" value={to} onChange={setTo} />
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {node.edited && (
          <Button
            look="quiet"
            icon="retry"
            className="mr-auto"
            onClick={() => {
              reset.mutate(number)
              onClose()
            }}
          >
            As the run had it
          </Button>
        )}
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" disabled={!title.trim()}>
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
