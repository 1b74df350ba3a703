import { Button } from "../../ui/Button.tsx"
import { formatBytes, formatPercent } from "../../ui/format.ts"
import { Progress } from "../../ui/Progress.tsx"
import type { Upload } from "./use-uploads.ts"

type UploadCardProps = { upload: Upload; onRemove: () => void; onRetry: () => void }

/** A file on its way to the service, before there is a job. */
export const UploadCard = ({ upload, onRemove: onStop, onRetry: onAgain }: UploadCardProps) => {
  const { name, sizeBytes: size, sentBytes: sent, error, isRejected: inVain } = upload
  const arrived = size > 0 && sent >= size
  const state = arrived ? "Received, being stored" : sent === 0 ? "Waiting to be sent" : "Sending"
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
              {state} · {formatBytes(sent)} of {formatBytes(size)} · {formatPercent(size ? sent / size : 0)}
            </p>
          )}
        </div>
        <div className="flex gap-1">
          {error && !inVain && (
            <Button icon="retry" onClick={onAgain}>
              Send again
            </Button>
          )}
          <Button variant="quiet" onClick={onStop}>
            {inVain ? "Remove" : error ? "Put away" : "Stop"}
          </Button>
        </div>
      </div>
      {!error && <Progress value={arrived ? null : size ? sent / size : 0} label={`Sending ${name}`} />}
    </li>
  )
}
