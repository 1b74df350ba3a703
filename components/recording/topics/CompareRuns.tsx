"use client"
import { useQuery } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import type { BoundaryDiff } from "#lib/domain/topics/compare-trees.ts"
import { flattenTree } from "#lib/domain/topics/flatten-tree.ts"
import type { TopicRunEntry } from "#lib/domain/topics/topic-runs.ts"
import type { TopicTree } from "#lib/domain/topics/topic-tree.ts"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { useTopicRegions } from "../../api/regions.ts"
import { TopicStrip } from "../../library/list/TopicStrip.tsx"
import { cx } from "../../ui/cx.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { formatClock, formatPercent } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { seek } from "../player/player.ts"
import { useRecording } from "../recording-context.ts"
import { getRunNames } from "./run-names.ts"
import { useTopicRun, useTopicRuns } from "./topic-data.ts"

type RunSelectProps = {
  label: string
  runs: readonly TopicRunEntry[]
  names: ReadonlyMap<string, string>
  value: string
  onPick: (id: string) => void
  hasCurrentOption: boolean
}

const RunSelect = ({ label, runs, names, value, onPick, hasCurrentOption }: RunSelectProps) => (
  <label className="grid grid-cols-1 gap-1 text-sm">
    <span className="font-[560]">{label}</span>
    <select
      value={value}
      onChange={(event) => onPick(event.target.value)}
      className="h-9 w-full rounded-md border border-line-strong bg-raised px-2"
    >
      {hasCurrentOption && <option value="shown">Current topics, with your edits</option>}
      {runs.map((run) => (
        <option key={run.id} value={run.id}>
          {names.get(run.id)}
        </option>
      ))}
    </select>
  </label>
)

const RunTopics = ({ tree }: { tree: TopicTree | undefined }) => {
  const { clip } = useRecording()
  const regions = useTopicRegions(clip.id)
  const current = clip.topics.filter(({ level }) => level === 2)
  // Topics of other runs are not on the map. They get the region of the current topic that is discussed at their middle.
  const regionAt = (time: number) => {
    const topic = current.find(({ start_s, duration_s }) => time >= start_s && time < start_s + duration_s)
    return (topic && regions?.[topic.number]) ?? null
  }
  const strip = tree
    ? flattenTree(tree)
        .filter(({ level }) => level === 2)
        .map(({ title, start_s, duration_s }) => ({
          title,
          start_s,
          duration_s,
          region: regionAt(start_s + duration_s / 2),
        }))
    : []
  return <div className="h-5 pt-1">{tree && <TopicStrip strip={strip} duration_s={clip.duration_s} />}</div>
}

const COLUMNS = ["unchanged", "moved", "added", "removed"] as const
const getCounts = ({ kept, moved, added, removed }: BoundaryDiff) => [kept, moved, added, removed].map((l) => l.length)

const HEAD = "px-1 py-1 text-right font-[500] sm:px-2"

type BoundaryTableProps = { topics: BoundaryDiff; parts: BoundaryDiff; tolerance_s: number }

const BoundaryTable = ({ topics, parts, tolerance_s }: BoundaryTableProps) => (
  <div className="grid grid-cols-1 gap-2">
    <table className="w-full text-sm">
      <caption className="sr-only">Changed boundaries</caption>
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className="py-1 pr-2 text-left font-[500]">
            Boundaries
          </th>
          {COLUMNS.map((what) => (
            <th key={what} scope="col" className={HEAD}>
              {what}
            </th>
          ))}
          <th scope="col" className={cx(HEAD, "max-sm:hidden")}>
            agreement
          </th>
        </tr>
      </thead>
      <tbody className="numeric divide-y divide-line border-y border-line">
        {(
          [
            ["Topics", topics],
            ["Topics and subtopics", parts],
          ] as const
        ).map(([name, diff]) => (
          <tr key={name}>
            <th scope="row" className="py-2 pr-2 text-left font-[560]">
              {name}
            </th>
            {getCounts(diff).map((n, i) => (
              <td
                key={COLUMNS[i]}
                className={cx("px-1 text-right text-lg sm:px-2", n === 0 ? "text-muted" : "font-[620]")}
              >
                {n}
              </td>
            ))}
            <td className="px-2 text-right text-lg max-sm:hidden">{formatPercent(diff.agreement.f1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p className="text-xs text-muted">
      A boundary counts as moved if it shifted by at most {tolerance_s} s. Agreement is the F1 score of the boundaries
      <span className="sm:hidden">
        : {formatPercent(topics.agreement.f1)} for topics, {formatPercent(parts.agreement.f1)} with subtopics
      </span>
      . Pk (0 means identical): {topics.agreement.pk.toFixed(2)} for topics, {parts.agreement.pk.toFixed(2)} with
      subtopics.
    </p>
  </div>
)

const TimeButton = ({ at }: { at: number }) => (
  <button
    type="button"
    onClick={() => seek(at)}
    className="numeric rounded-sm text-left text-accent"
    aria-label={`Go to ${formatClock(at)}`}
  >
    {formatClock(at)}
  </button>
)

/** The times of changed boundaries. A click seeks there. */
const ChangedBoundaries = ({ parts: { moved, added, removed } }: { parts: BoundaryDiff }) => {
  const lines = [
    ["Added", added],
    ["Removed", removed],
    ["Moved to", moved.map((m) => m.to_s)],
  ] as const
  const nonEmpty = lines.filter(([, times]) => times.length > 0)
  if (nonEmpty.length === 0) return <p className="text-sm text-muted">No boundaries changed</p>
  return (
    <dl className="grid gap-1 text-sm">
      {nonEmpty.map(([name, times]) => (
        <div key={name} className="grid grid-cols-[5rem_1fr] gap-3">
          <dt className="text-muted">{name}</dt>
          <dd className="flex flex-wrap gap-x-3 gap-y-1">
            {times.map((at) => (
              <TimeButton key={at} at={at} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const Differences = ({ a, b }: { a: string; b: string }) => {
  const { clip } = useRecording()
  const diff = useQuery({
    queryKey: queryKeys.topicDiff(clip.id, a, b),
    queryFn: ({ signal }) => client.diffTopics(clip.id, { a, b }, { signal }),
  })
  if (diff.isError) return <Notice onRetry={() => diff.refetch()}>{errorMessage(diff.error)}</Notice>
  if (!diff.data) return <p className="animate-pulse text-sm text-muted">Comparing…</p>
  const { topics, parts, titles, tolerance_s } = diff.data
  return (
    <div className="grid grid-cols-1 gap-4">
      <BoundaryTable topics={topics} parts={parts} tolerance_s={tolerance_s} />
      <ChangedBoundaries parts={parts} />
      {titles.length > 0 && (
        <section aria-label="Changed titles" className="grid gap-1">
          <h3 className="text-sm font-[600]">Changed titles</h3>
          <ul className="divide-y divide-line text-sm">
            {titles.map((t) => (
              <li key={`${t.number_a} ${t.number_b}`} className="grid grid-cols-[3.5rem_1fr_1fr] gap-3 py-1.5">
                <TimeButton at={t.start_s} />
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

const RunComparison = ({ runs }: { runs: readonly TopicRunEntry[] }) => {
  const { clip } = useRecording()
  const [a, setA] = useState(runs[1]?.id ?? runs[0]!.id)
  const [b, setB] = useState("shown")
  const names = useMemo(() => getRunNames(runs), [runs])
  const before = useTopicRun(clip.id, a)
  const after = useTopicRun(clip.id, b === "shown" ? undefined : b)
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="grid grid-cols-1 gap-3">
        <RunSelect label="Before" runs={runs} names={names} value={a} onPick={setA} hasCurrentOption={false} />
        <RunTopics tree={before.data?.tree} />
        <RunSelect label="After" runs={runs} names={names} value={b} onPick={setB} hasCurrentOption />
        <RunTopics tree={b === "shown" ? clip.tree : after.data?.tree} />
      </div>
      <Differences a={a} b={b} />
    </div>
  )
}

/** Compares the topics of two runs, or of a run and the current state. */
export const CompareRuns = ({ onClose }: { onClose: () => void }) => {
  const { clip } = useRecording()
  const runs = useTopicRuns(clip.id, true)
  return (
    <Dialog open onClose={onClose} wide title="Compare runs">
      {runs.isError && <Notice onRetry={() => runs.refetch()}>{errorMessage(runs.error)}</Notice>}
      {runs.isPending && <p className="animate-pulse text-sm text-muted">Loading runs…</p>}
      {runs.data && runs.data.runs.length === 0 && (
        <p className="text-sm text-muted">No runs are stored for this recording.</p>
      )}
      {runs.data && runs.data.runs.length > 0 && <RunComparison runs={runs.data.runs} />}
    </Dialog>
  )
}
