import { Button } from "../../ui/Button.tsx"
import { formatBytes, formatPercent } from "../../ui/format.ts"
import { Progress } from "../../ui/Progress.tsx"
import type { Upload } from "./use-uploads.ts"

type UploadCardProps = { upload: Upload; onRemove: () => void; onRetry: () => void }

/** A file that is being uploaded and has no job yet. */
export const UploadCard = ({ upload, onRemove, onRetry }: UploadCardProps) => {
  const { name, sizeBytes, sentBytes, error, isRejected } = upload
  const isUploaded = sizeBytes > 0 && sentBytes >= sizeBytes
  const state = isUploaded ? "Saving" : sentBytes === 0 ? "Waiting" : "Uploading"
  return (
    <li className="grid animate-rise gap-2.5 rounded-lg border border-line-strong bg-surface px-4 py-3.5 sm:px-5">
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="truncate font-[580]">
            <bdi>{name}</bdi>
          </p>
          {error ? (
            <p role="alert" className="text-sm text-bad">
              {error}
            </p>
          ) : (
            <p className="numeric text-sm text-muted">
              {state} · {formatBytes(sentBytes)} of {formatBytes(sizeBytes)} ·{" "}
              {formatPercent(sizeBytes ? sentBytes / sizeBytes : 0)}
            </p>
          )}
        </div>
        <div className="flex gap-1">
          {error && !isRejected && (
            <Button icon="retry" onClick={onRetry}>
              Try again
            </Button>
          )}
          <Button variant="quiet" onClick={onRemove}>
            {error ? "Dismiss" : "Cancel"}
          </Button>
        </div>
      </div>
      {!error && (
        <Progress value={isUploaded ? null : sizeBytes ? sentBytes / sizeBytes : 0} label={`Uploading ${name}`} />
      )}
    </li>
  )
}
