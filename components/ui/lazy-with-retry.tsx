"use client"
import { type ComponentType, useCallback, useEffect, useState } from "react"
import { createPortal } from "react-dom"
import { IconButton } from "./Button.tsx"
import { classifyLoadError, isChunkLoadError, LOAD_FAILURE_MESSAGES, type LoadFailure } from "./chunk-load-error.ts"
import { cx } from "./cx.ts"
import { Notice } from "./Notice.tsx"

type LazyOptions<Props> = {
  /** Takes the part back that did not come. */
  readonly onDismiss?: (props: Props) => void
  /** It stands over the page, as a dialog does: so does what is said of its absence. */
  readonly overlay?: boolean
}

type LoadFailureNoticeProps = {
  absence: LoadFailure
  over: boolean
  onRetry: () => void
  onClose: (() => void) | undefined
}

/** Says that a part did not come, in its place or over the page. */
const LoadFailureNotice = ({ absence, over, onRetry, onClose }: LoadFailureNoticeProps) => {
  const notice = (
    <div
      className={cx(
        "flex items-center gap-1",
        over
          ? "fixed inset-x-3 bottom-20 z-60 mx-auto max-w-lg rounded-md border border-bad/30 bg-raised shadow-float sm:bottom-6 [&_[role=alert]]:border-0 [&_[role=alert]]:bg-transparent"
          : "p-2",
      )}
    >
      <div className="min-w-0 flex-1">
        <Notice
          title="This did not come"
          {...(absence === "replaced"
            ? { retry: "Reload", onRetry: () => window.location.reload() }
            : { retry: "Try again", onRetry })}
        >
          {LOAD_FAILURE_MESSAGES[absence]}
        </Notice>
      </div>
      {onClose && <IconButton name="close" label="Dismiss" onClick={onClose} className="mr-1.5 size-8" />}
    </div>
  )
  return over ? createPortal(notice, document.body) : notice
}

/**
 * A part of a page that is fetched in the browser when it is first shown. One that cannot be fetched leaves the page
 * standing, says so and can be asked for again: what React and Next offer for this keeps a failure for good.
 * @throws while rendering, what a part throws that did come
 */
export const lazyWithRetry = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { onDismiss: close, overlay: over = false }: LazyOptions<Props> = {},
): ComponentType<Props> => {
  let loaded: ComponentType<Props> | null = null
  return (props) => {
    const [Part, setPart] = useState(() => loaded)
    const [failure, setFailure] = useState<{ error: unknown; absence: LoadFailure } | null>(null)
    const ask = useCallback(
      () =>
        load().then(
          (part) => {
            loaded = part
            setPart(() => part)
          },
          async (error) => setFailure({ error, absence: await classifyLoadError(error) }),
        ),
      [],
    )
    useEffect(() => {
      if (!Part) void ask()
    }, [Part, ask])
    if (Part) return <Part {...props} />
    if (!failure) return null
    if (!isChunkLoadError(failure.error)) throw failure.error
    return (
      <LoadFailureNotice
        absence={failure.absence}
        over={over}
        onRetry={() => void ask()}
        onClose={close && (() => close(props))}
      />
    )
  }
}
