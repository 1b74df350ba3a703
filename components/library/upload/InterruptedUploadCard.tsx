import { Button } from "../../ui/Button.tsx"
import { formatBytes } from "../../ui/format.ts"
import type { InterruptedUpload } from "./use-interrupted-uploads.ts"

type InterruptedUploadCardProps = { upload: InterruptedUpload; onRemove: () => void }

/** An upload that ended with its page. */
export const InterruptedUploadCard = ({ upload, onRemove }: InterruptedUploadCardProps) => (
  <li className="flex items-center justify-between gap-3 rounded-lg border border-line-strong bg-surface px-4 py-3.5 sm:px-5">
    <div className="min-w-0">
      <p className="truncate font-[580]">
        <bdi>{upload.name}</bdi>
      </p>
      <p className="numeric text-sm text-muted">
        Interrupted at {formatBytes(upload.sentBytes)} of {formatBytes(upload.sizeBytes)}. Choose the file again to
        continue.
      </p>
    </div>
    <Button variant="quiet" onClick={onRemove}>
      Discard
    </Button>
  </li>
)
