import type { ReactNode } from "react"
import { Button, IconButton } from "../../ui/Button.tsx"
import { capitalize, formatBytes } from "../../ui/format.ts"
import { Progress } from "../../ui/Progress.tsx"
import { WithCode } from "../../ui/WithCode.tsx"

type ModelRowProps = {
  name: string
  purpose: string
  /** Size and state, such as "135 MB · in use". */
  facts: string
  isInstalled: boolean
  isDownloading: boolean
  fetched: number
  /** The size of the download in bytes, or null if it is unknown. */
  total: number | null
  problem: string | undefined
  /** Absent if the model cannot be downloaded from here. */
  onDownload?: (() => void) | undefined
  /** Absent if the model cannot be deleted from here. */
  onDelete?: (() => void) | undefined
  children?: ReactNode
}

const downloadLabel = ({ isDownloading, fetched, problem }: ModelRowProps): string =>
  isDownloading ? "Downloading" : fetched > 0 || problem ? "Resume" : "Download"

/** A model with its size, its download and its deletion. */
export const ModelRow = (p: ModelRowProps) => (
  <li className="grid gap-1.5 py-3" data-model={p.name}>
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-[580] [overflow-wrap:anywhere]">{p.name}</p>
        <p className="text-sm text-muted">{capitalize(p.purpose)}</p>
      </div>
      <p className="numeric text-sm text-muted">
        {p.isDownloading && p.fetched > 0
          ? `${formatBytes(p.fetched)}${p.total === null ? "" : ` of ${formatBytes(p.total)}`}`
          : p.facts}
      </p>
      {!p.isInstalled && p.onDownload && (
        <Button
          icon="save"
          aria-label={`${downloadLabel(p)} ${p.name}`}
          disabled={p.isDownloading}
          onClick={p.onDownload}
        >
          {downloadLabel(p)}
        </Button>
      )}
      {p.isInstalled && p.onDelete && <IconButton name="trash" label={`Delete ${p.name}`} onClick={p.onDelete} />}
    </div>
    {p.isDownloading && (
      <Progress
        value={p.fetched > 0 && p.total ? Math.min(1, p.fetched / p.total) : null}
        label={`Downloading ${p.name}`}
      />
    )}
    {p.problem && !p.isDownloading && (
      <p role="alert" className="text-sm text-bad [overflow-wrap:anywhere]">
        <WithCode>{p.problem}</WithCode>
      </p>
    )}
  </li>
)
