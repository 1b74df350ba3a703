"use client"
import Link from "next/link"
import type { ClipEntry } from "#lib/domain/clips.ts"
import { getRecordingHref } from "../../search/use-library-search.ts"
import { formatClock, formatTimeAgo } from "../../ui/format.ts"
import { ClipMenu } from "./ClipMenu.tsx"
import { summarizeSpeakers } from "./speaker-summary.ts"
import { TopicStrip } from "./TopicStrip.tsx"

type ClipTableProps = { clips: readonly ClipEntry[]; onRename: (clip: ClipEntry) => void }

const HEAD = "px-3 py-2 text-left text-xs font-[560] text-muted"
const CELL = "px-3 py-2.5 align-middle"

/** The recordings as a table. */
export const ClipTable = ({ clips, onRename }: ClipTableProps) => (
  <div className="overflow-hidden rounded-lg border border-line bg-surface">
    <table className="w-full table-fixed border-collapse text-sm">
      <thead className="border-b border-line">
        <tr>
          <th scope="col" className={HEAD}>
            Title
          </th>
          <th scope="col" className={`${HEAD} w-1/4 max-md:hidden`}>
            Topics
          </th>
          <th scope="col" className={`${HEAD} w-40 max-lg:hidden`}>
            Speakers
          </th>
          <th scope="col" className={`${HEAD} w-20 text-right`}>
            Duration
          </th>
          <th scope="col" className={`${HEAD} w-28 max-sm:hidden`}>
            Added
          </th>
          <th scope="col" className="w-12">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {clips.map((clip) => (
          <tr key={clip.id} data-clip={clip.id} className="border-b border-line last:border-0 hover:bg-accent-wash">
            <th scope="row" className={`${CELL} text-left font-[580]`}>
              <Link
                href={getRecordingHref(clip.id)}
                prefetch={false}
                className="block truncate rounded-sm hover:text-accent"
              >
                <bdi>{clip.title}</bdi>
              </Link>
            </th>
            <td className={`${CELL} max-md:hidden`}>
              <TopicStrip topics={clip.topics} duration_s={clip.duration_s} />
            </td>
            <td className={`${CELL} truncate text-muted max-lg:hidden`}>
              <bdi>{summarizeSpeakers(clip)}</bdi>
            </td>
            <td className={`${CELL} numeric text-right text-soft`}>{formatClock(clip.duration_s)}</td>
            <td className={`${CELL} text-muted max-sm:hidden`}>{formatTimeAgo(clip.created_at)}</td>
            <td className="pr-2 text-right">
              <ClipMenu clip={clip} onRename={() => onRename(clip)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
