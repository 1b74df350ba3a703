"use client"
import Link from "next/link"
import { useState } from "react"
import type { Template } from "#lib/api/client/types.ts"
import { errorMessage } from "../../api/client.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { Notice } from "../../ui/Notice.tsx"
import { useRecording } from "../recording-context.ts"
import { SummaryView } from "./SummaryView.tsx"
import { useSummaries, useSummaryActions, useTemplates } from "./use-summaries.ts"

type Tab = Pick<Template, "id" | "name"> & { readonly description: string }

const TabList = ({
  tabs,
  value,
  made,
  onChange,
}: {
  tabs: readonly Tab[]
  value: string
  made: ReadonlySet<string>
  onChange: (id: string) => void
}) => (
  <fieldset className="flex min-w-0 gap-1.5 overflow-x-auto py-1">
    <legend className="sr-only">Template</legend>
    {tabs.map(({ id, name }) => (
      <label
        key={id}
        className={cx(
          "flex h-9 shrink-0 cursor-pointer items-center gap-1.5 rounded-full border px-3 text-sm font-[560] whitespace-nowrap transition has-focus-visible:outline-2 has-focus-visible:outline-accent max-sm:h-11",
          id === value ? "border-ink bg-raised text-ink" : "border-line text-muted hover:text-ink",
        )}
      >
        <input
          type="radio"
          name="template"
          value={id}
          checked={id === value}
          onChange={() => onChange(id)}
          className="sr-only"
        />
        {name}
        {made.has(id) && <span aria-hidden="true" className="size-1.5 rounded-full bg-accent" />}
      </label>
    ))}
  </fieldset>
)

/** The summaries of a recording: one tab per template, and a button that makes what is missing. */
export const SummariesPanel = () => {
  const { clip } = useRecording()
  const templates = useTemplates()
  const summaries = useSummaries(clip.id)
  const { make, remove } = useSummaryActions(clip.id)
  const [chosen, setChosen] = useState<string | null>(null)
  const made = summaries.data?.summaries ?? []
  const known = templates.data?.templates ?? []
  // A template that was deleted keeps its summary.
  const orphaned = made.filter(({ template_id }) => !known.some(({ id }) => id === template_id))
  const tabs: Tab[] = [...known, ...orphaned.map(({ template_id: id, name }) => ({ id, name, description: "" }))]
  const value = chosen ?? made[0]?.template_id ?? tabs[0]?.id ?? ""
  const tab = tabs.find(({ id }) => id === value)
  const summary = made.find(({ template_id }) => template_id === value)
  const error = templates.error ?? summaries.error
  const run = () => make.mutate({ template_id: value })
  return (
    <section aria-label="Summaries" className="mx-auto grid max-w-[47rem] grid-cols-1 gap-4 pt-2 pb-24">
      {error && (
        <Notice
          onRetry={() => {
            void templates.refetch()
            void summaries.refetch()
          }}
        >
          {errorMessage(error)}
        </Notice>
      )}
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          {tabs.length > 0 && (
            <TabList
              tabs={tabs}
              value={value}
              made={new Set(made.map(({ template_id }) => template_id))}
              onChange={setChosen}
            />
          )}
        </div>
        <Link
          href="/settings/templates"
          className="inline-flex h-9 shrink-0 items-center text-sm text-muted underline decoration-line-strong underline-offset-3 hover:text-ink max-sm:h-11"
        >
          Templates
        </Link>
      </div>
      {summary ? (
        <SummaryView
          key={value}
          summary={summary}
          title={clip.title}
          onRun={run}
          onDelete={() => remove.mutate(value)}
        />
      ) : (
        tab &&
        summaries.isSuccess && (
          <div className="grid justify-items-start gap-3 py-6">
            <p className="text-muted">
              {tab.description || `“${tab.name}” has not been made for this recording yet.`} Each line leads to where it
              is said.
            </p>
            <Button variant="primary" className="max-sm:h-11" disabled={make.isPending} onClick={run}>
              Make {tab.name.toLowerCase()}
            </Button>
          </div>
        )
      )}
    </section>
  )
}
