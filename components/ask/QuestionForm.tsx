"use client"
import { type KeyboardEvent, type SyntheticEvent, useId, useRef, useState } from "react"
import { MAX_QUESTION_CHARS } from "#lib/domain/constants.ts"
import type { QueryScope } from "#lib/domain/documents.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { formatCount } from "../ui/format.ts"
import { Icon } from "../ui/Icon.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Chips, nameOfKind } from "./Chips.tsx"
import { addChip, CHIP_ICONS, type Chip, findMention } from "./scope-chips.ts"
import { useScopeOptions } from "./scope-options.ts"

export const SCOPES = ["all", "clips", "documents"] as const
const SCOPE_LABELS: Readonly<Record<QueryScope, string>> = {
  all: "Everything",
  clips: "Recordings",
  documents: "Documents",
}

type QuestionFormProps = {
  scope: QueryScope
  onScope: (s: QueryScope) => void
  chips: readonly Chip[]
  onChips: (chips: readonly Chip[]) => void
  onAsk: (q: string) => void
  busy: boolean
  onStop: () => void
}

/** The state of the menu that an `@` in the question opens. */
const useMentions = (text: string, caret: number) => {
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const [active, setActive] = useState(0)
  const mention = findMention(text, caret)
  const isOpen = mention !== null && mention.from !== closedAt
  const options = useScopeOptions(isOpen ? mention.query : "", isOpen)
  const index = Math.min(active, options.length - 1)
  return {
    mention: isOpen ? mention : null,
    options,
    index,
    setActive,
    /** Leaves this `@` alone until another one is typed. */
    close: () => setClosedAt(mention?.from ?? null),
    move: (by: number) => setActive((index + by + options.length) % Math.max(1, options.length)),
  }
}

type OptionListProps = { id: string; options: readonly Chip[]; index: number; onChoose: (chip: Chip) => void }

const OptionList = ({ id, options, index, onChoose }: OptionListProps) => (
  <div className="absolute inset-x-2 bottom-full z-20 mb-2 max-h-80 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-float sm:right-auto sm:w-96">
    {options.length === 0 ? (
      <p role="status" className="px-2.5 py-2 text-sm text-muted">
        Nothing has this name. Type a recording, speaker, tag, region, document or a date such as 2026-03.
      </p>
    ) : (
      <div id={id} role="listbox" aria-label="Only in" className="grid">
        {options.map((chip, i) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus and names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the text field choose it
          <div
            key={`${chip.kind} ${chip.value}`}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === index}
            ref={i === index ? (element) => element?.scrollIntoView?.({ block: "nearest" }) : undefined}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(chip)}
            className={cx(
              "flex min-h-9 cursor-default items-center gap-2.5 rounded-sm px-2.5 py-1 text-sm text-soft hover:bg-accent-wash",
              i === index && "bg-accent-wash text-ink",
            )}
          >
            <Icon name={CHIP_ICONS[chip.kind]} size={16} className="shrink-0 text-muted" />
            <bdi className="min-w-0 flex-1 truncate">{chip.label}</bdi>
            <span className="shrink-0 text-xs text-muted">{nameOfKind(chip.kind)}</span>
          </div>
        ))}
      </div>
    )}
  </div>
)

/** The question field. `@` and the chips say which recordings and documents to search. */
export const QuestionForm = ({ scope, onScope, chips, onChips, onAsk, busy, onStop }: QuestionFormProps) => {
  const [text, setText] = useState("")
  const [caret, setCaret] = useState(0)
  const field = useRef<HTMLTextAreaElement>(null)
  const hint = useId()
  const list = useId()
  const { mention, options, index, setActive, close, move } = useMentions(text, caret)
  const over = Math.max(0, text.trim().length - MAX_QUESTION_CHARS)
  const change = (value: string, at: number) => {
    setText(value)
    setCaret(at)
    setActive(0)
  }
  const choose = (chip: Chip) => {
    if (mention) change(`${text.slice(0, mention.from)}${text.slice(caret)}`, mention.from)
    onChips(addChip(chips, chip))
    field.current?.focus()
  }
  const openMenu = () => {
    const separator = text === "" || /\s$/.test(text) ? "" : " "
    const value = `${text}${separator}@`
    change(value, value.length)
    field.current?.focus()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const question = text.trim()
    if (!question || busy || over > 0) return
    onAsk(question)
    change("", 0)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const chosen = options[index]
    if (mention) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step !== undefined) {
        event.preventDefault()
        return move(step)
      }
      if (event.key === "Escape") {
        event.preventDefault()
        return close()
      }
      if (chosen && (event.key === "Enter" || event.key === "Tab")) {
        event.preventDefault()
        return choose(chosen)
      }
    }
    if (event.key === "Backspace" && caret === 0 && text === "" && chips.length > 0) onChips(chips.slice(0, -1))
    if (event.key === "Enter" && !event.shiftKey) submit(event)
  }
  return (
    <form
      onSubmit={submit}
      className="relative grid gap-1 rounded-lg border border-line-strong bg-surface p-2 shadow-float focus-within:border-accent"
    >
      {mention && <OptionList id={list} options={options} index={index} onChoose={choose} />}
      {chips.length > 0 && (
        <div className="px-1 pt-1">
          <Chips chips={chips} onRemove={(chip) => onChips(chips.filter((other) => other !== chip))} />
        </div>
      )}
      <textarea
        ref={field}
        value={text}
        onChange={(event) => change(event.target.value, event.target.selectionEnd)}
        onSelect={(event) => setCaret(event.currentTarget.selectionEnd)}
        onKeyDown={onKey}
        onBlur={close}
        rows={Math.min(6, Math.max(1, text.split("\n").length))}
        aria-label="Question"
        aria-invalid={over > 0}
        aria-autocomplete="list"
        {...(mention && options.length > 0 && { "aria-controls": list, "aria-activedescendant": `${list}-${index}` })}
        {...(over > 0 && { "aria-describedby": hint })}
        placeholder="Ask your recordings and documents"
        className="min-h-10 resize-none bg-transparent px-2.5 py-2 text-base outline-none placeholder:text-muted"
      />
      {over > 0 && (
        <p id={hint} role="alert" className="px-2.5 pb-1 text-sm text-bad">
          {`The question is ${formatCount(over, "character")} too long (at most ${MAX_QUESTION_CHARS.toLocaleString("en")}). Shorten it, or add the text as a document and ask about that.`}
        </p>
      )}
      <div className="flex items-center justify-between gap-2">
        <div className="flex min-w-0 items-center gap-1">
          <Segmented
            label="Sources to search"
            value={scope}
            onChange={onScope}
            options={SCOPES.map((value) => ({ value, label: SCOPE_LABELS[value] }))}
          />
          <IconButton name="at" label="Choose recordings, people, tags, dates … (@)" onClick={openMenu} />
        </div>
        {busy ? (
          <Button icon="stop" onClick={onStop} className="max-sm:px-2.5">
            <span className="max-sm:sr-only">Stop</span>
          </Button>
        ) : (
          <Button
            type="submit"
            variant="primary"
            icon="send"
            disabled={!text.trim() || over > 0}
            className="max-sm:px-2.5"
          >
            <span className="max-sm:sr-only">Ask</span>
          </Button>
        )}
      </div>
    </form>
  )
}
