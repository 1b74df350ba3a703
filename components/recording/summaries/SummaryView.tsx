"use client"
import { Fragment } from "react"
import type { ClipSummary, SummaryLine } from "#lib/api/client/types.ts"
import { describeOrigin, groupLines, toSummaryMarkdown, toSummaryText } from "#lib/domain/export/summaries.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { copyText } from "../../ui/copy-text.ts"
import { formatClock, formatCount } from "../../ui/format.ts"
import { Menu, MenuItem } from "../../ui/Menu.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Progress } from "../../ui/Progress.tsx"
import { seek } from "../player/player.ts"
import { isBeingMade } from "./use-summaries.ts"

const OUTDATED: Readonly<Record<ClipSummary["outdated"][number], string>> = {
  transcript: "the transcript",
  topics: "the topics",
  template: "the template",
}

const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`

const saveFile = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/markdown" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}

const Task = ({ owner, due }: Pick<SummaryLine, "owner" | "due">) =>
  owner === null && due === null ? null : (
    <span className="flex flex-wrap gap-1.5 pt-1 text-xs font-[560]">
      {owner !== null && <span className="rounded-full bg-line/60 px-2 py-0.5 text-ink">{owner}</span>}
      {due !== null && <span className="rounded-full border border-line-strong px-2 py-0.5 text-soft">{due}</span>}
    </span>
  )

const Line = ({ line, kind }: { line: SummaryLine; kind: ClipSummary["kind"] }) => {
  const { text, detail, start_s, speaker, owner, due } = line
  const clock = formatClock(start_s)
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 py-1.5">
      <button
        type="button"
        aria-label={`Play from ${clock}`}
        onClick={() => seek(start_s)}
        className="numeric min-w-12 rounded-sm text-right text-xs text-accent hover:underline max-sm:min-h-11"
      >
        {clock}
      </button>
      <span className="[overflow-wrap:anywhere]">
        <bdi className={kind === "chapters" ? "font-[560]" : undefined}>{text}</bdi>
        {speaker !== null && speaker !== owner && kind !== "minutes" && (
          <span className="text-sm text-muted"> — {speaker}</span>
        )}
        {detail !== null && <span className="block text-sm text-muted">{detail}</span>}
        <Task owner={owner} due={due} />
      </span>
    </li>
  )
}

const Status = ({ summary }: { summary: ClipSummary }) => {
  const { state, progress, error } = summary
  if (state === "error") return <Notice title="This summary could not be made">{error}</Notice>
  if (!isBeingMade(summary)) return null
  const share = progress && progress.total > 0 ? progress.done / progress.total : null
  return (
    <div role="status" className="grid gap-2 text-sm text-muted">
      <Progress value={share} label="Making the summary" />
      {error !== null
        ? `${error} Trying again…`
        : progress && progress.total > 1
          ? `Part ${Math.min(progress.done + 1, progress.total)} of ${progress.total}`
          : "Making the summary…"}
    </div>
  )
}

type SummaryViewProps = { summary: ClipSummary; title: string; onRun: () => void; onDelete: () => void }

/** A summary: what made it, whether it is out of date, and its lines, each with its second. */
export const SummaryView = ({ summary, title, onRun, onDelete }: SummaryViewProps) => {
  const { name, kind, lines, outdated, dropped, finished_at } = summary
  const origin = describeOrigin(summary)
  return (
    <article aria-label={name} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-52 text-sm text-muted">
          {origin}
          {dropped > 0 && ` ${formatCount(dropped, "line")} left out, because nothing that was said supports them.`}
        </p>
        {lines.length > 0 && (
          <>
            <Button icon="copy" className="max-sm:h-11" onClick={() => copyText(toSummaryText(summary), name)}>
              Copy
            </Button>
            <Menu
              align="end"
              trigger={<IconButton name="more" label={`More for ${name}`} className="max-sm:size-11" />}
            >
              <MenuItem icon="copy" onSelect={() => void copyText(toSummaryMarkdown(summary), name)}>
                Copy as Markdown
              </MenuItem>
              <MenuItem
                icon="save"
                hint=".md"
                onSelect={() => saveFile(`${title} - ${name}.md`, toSummaryMarkdown(summary))}
              >
                Download
              </MenuItem>
              <MenuItem icon="retry" onSelect={onRun}>
                Run again
              </MenuItem>
              <MenuItem icon="trash" tone="bad" onSelect={onDelete}>
                Delete
              </MenuItem>
            </Menu>
          </>
        )}
      </div>
      <Status summary={summary} />
      {outdated.length > 0 && !isBeingMade(summary) && (
        <Notice tone="plain" onRetry={onRun} retry="Run again">
          Out of date: {joinNames(outdated.map((part) => OUTDATED[part]))} changed since this was made.
        </Notice>
      )}
      {summary.state === "error" && outdated.length === 0 && (
        <Button icon="retry" className="justify-self-start max-sm:h-11" onClick={onRun}>
          Try again
        </Button>
      )}
      {lines.length === 0 && finished_at !== null && !isBeingMade(summary) && (
        <p className="py-4 text-muted">
          {kind === "action_items" || kind === "decisions"
            ? `No ${name.toLowerCase()} found in this recording.`
            : "Nothing was found."}
        </p>
      )}
      {groupLines(lines).map(({ title: section, lines: own }) => (
        <Fragment key={`${own[0]!.start_s} ${section}`}>
          {section !== null && <h3 className="pt-2 font-[620]">{section}</h3>}
          <ul>
            {own.map((line) => (
              <Line key={`${line.start_s} ${line.text}`} line={line} kind={kind} />
            ))}
          </ul>
        </Fragment>
      ))}
    </article>
  )
}
