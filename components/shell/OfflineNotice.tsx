import { Notice } from "../ui/Notice.tsx"

/** Reports that the service is unreachable and that the page may be out of date. */
export const OfflineNotice = ({ onRetry }: { onRetry: () => void }) => (
  <Notice tone="plain" title="Earmark isn't responding" onRetry={onRetry}>
    Retrying every few seconds. This page may be out of date. If Earmark was stopped, start it again. Jobs resume where
    they stopped.
  </Notice>
)
