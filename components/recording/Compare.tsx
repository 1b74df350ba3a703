"use client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { flattenTree } from "#lib/contracts/flatten-tree.ts"
import type { TopicRunEntry } from "#lib/contracts/topic-runs.ts"
import type { TopicTree } from "#lib/contracts/topics.ts"
import { client, sentence } from "../api.ts"
import { MiniTree } from "../library/MiniTree.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { ago, clock, count, percent } from "../ui/format.ts"
import { Notice } from "../ui/Notice.tsx"
import { useInHand } from "./context.ts"
import { seek } from "./player.ts"
import { useTopicRun, useTopicRuns } from "./topic-data.ts"

const nameOf = (run: TopicRunEntry): string =>
  `${run.llm_model ?? run.provider ?? "given"} · ${count(run.topics, "topic")} · ${ago(run.created_at)}`

type PickProps = {
  label: string
  runs: readonly TopicRunEntry[]
  value: string
  onPick: (id: string) => void
  shown: boolean
}

const Pick = ({ label, runs, value, onPick, shown }: PickProps) => (
  <label className="grid gap-1 text-sm">
    <span className="font-[560]">{label}</span>
    <select
      value={value}
      onChange={(event) => onPick(event.target.value)}
      className="h-9 w-full rounded-md border border-line-strong bg-raised px-2"
    >
      {shown && <option value="shown">as it stands, with what you changed</option>}
      {runs.map((run) => (
        <option key={run.id} value={run.id}>
          {nameOf(run)}
        </option>
      ))}
    </select>
  </label>
)

const Strip = ({ tree }: { tree: TopicTree | undefined }) => {
  const { clip } = useInHand()
  return <div className="h-5">{tree && <MiniTree topics={flattenTree(tree)} duration_s={clip.duration_s} />}</div>
}

const Differences = ({ a, b }: { a: string; b: string }) => {
  const { clip } = useInHand()
  const diff = useQuery({
    queryKey: ["topic-diff", clip.id, a, b],
    queryFn: ({ signal }) => client.diffTopics(clip.id, { a, b }, { signal }),
  })
  if (diff.isError) return <Notice onRetry={() => diff.refetch()}>{sentence(diff.error)}</Notice>
  if (!diff.data) return <p className="animate-breathe text-sm text-muted">Comparing…</p>
  const { topics, titles, tolerance_s } = diff.data
  const facts = [
    [topics.kept.length, "borders are the same"],
    [topics.moved.length, `moved, by at most ${tolerance_s} s`],
    [topics.added.length, "are new"],
    [topics.removed.length, "are gone"],
  ] as const
  return (
    <div className="grid gap-4">
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {facts.map(([n, what]) => (
          <li key={what} className="rounded-md border border-line px-3 py-2">
            <span className="numeric block text-xl font-[620]">{n}</span>
            <span className="text-xs text-muted">{what}</span>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">
        They agree on {percent(topics.agreement.f1)} of the borders between topics (F1); Pk{" "}
        {topics.agreement.pk.toFixed(2)}, 0 being the same.
      </p>
      {titles.length > 0 && (
        <section aria-label="Other titles" className="grid gap-1">
          <h3 className="text-sm font-[600]">Called otherwise</h3>
          <ul className="divide-y divide-line text-sm">
            {titles.map((t) => (
              <li key={`${t.number_a} ${t.number_b}`} className="grid grid-cols-[3.5rem_1fr_1fr] gap-3 py-1.5">
                <button
                  type="button"
                  onClick={() => seek(t.start_s)}
                  className="numeric rounded-sm text-left text-accent"
                  aria-label={`Go to ${clock(t.start_s)}`}
                >
                  {clock(t.start_s)}
                </button>
                <bdi className="text-muted">{t.title_a}</bdi>
                <bdi>{t.title_b}</bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const Body = ({ runs }: { runs: readonly TopicRunEntry[] }) => {
  const { clip } = useInHand()
  const [a, setA] = useState(runs[1]?.id ?? runs[0]!.id)
  const [b, setB] = useState("shown")
  const before = useTopicRun(clip.id, a)
  const after = useTopicRun(clip.id, b === "shown" ? undefined : b)
  return (
    <div className="grid gap-5">
      <div className="grid gap-3">
        <Pick label="Before" runs={runs} value={a} onPick={setA} shown={false} />
        <Strip tree={before.data?.tree} />
        <Pick label="After" runs={runs} value={b} onPick={setB} shown />
        <Strip tree={b === "shown" ? clip.tree : after.data?.tree} />
      </div>
      <Differences a={a} b={b} />
    </div>
  )
}

/** What became of the topics from one run to another, or to what stands now. */
export const Compare = ({ onClose }: { onClose: () => void }) => {
  const { clip } = useInHand()
  const runs = useTopicRuns(clip.id, true)
  return (
    <Dialog open onClose={onClose} wide title="Compare runs">
      {runs.isError && <Notice onRetry={() => runs.refetch()}>{sentence(runs.error)}</Notice>}
      {runs.isPending && <p className="animate-breathe text-sm text-muted">Loading the runs…</p>}
      {runs.data && runs.data.runs.length === 0 && (
        <p className="text-sm text-muted">No run is kept: these topics were made before runs were.</p>
      )}
      {runs.data && runs.data.runs.length > 0 && <Body runs={runs.data.runs} />}
    </Dialog>
  )
}
