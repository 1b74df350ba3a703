import { Notice } from "../ui/Notice.tsx"

/** Says that nobody answers, that what stands below is of the past, and that nothing need be done but to wait. */
export const OfflineNotice = ({ onRetry }: { onRetry: () => void }) => (
  <Notice tone="plain" title="Earmark does not answer" onRetry={onRetry}>
    Trying again every few seconds. What you see is how things last stood. If Earmark was stopped, start it anew:
    recordings go on where they were.
  </Notice>
)
