"use client"
import { type ComponentType, useCallback, useEffect, useState } from "react"
import { createPortal } from "react-dom"
import { IconButton } from "./Button.tsx"
import { classifyLoadError, isChunkLoadError, LOAD_FAILURE_MESSAGES, type LoadFailure } from "./chunk-load-error.ts"
import { cx } from "./cx.ts"
import { Notice } from "./Notice.tsx"

type LazyOptions<Props> = {
  /** Closes the component that could not be loaded. */
  readonly onDismiss?: (props: Props) => void
  /** True for dialogs and other overlays: the error is shown as an overlay, too. */
  readonly overlay?: boolean
}

type LoadFailureNoticeProps = {
  failure: LoadFailure
  overlay: boolean
  onRetry: () => void
  onClose: (() => void) | undefined
}

/** Reports that a component could not be loaded, in its place or as an overlay. */
const LoadFailureNotice = ({ failure, overlay, onRetry, onClose }: LoadFailureNoticeProps) => {
  const notice = (
    <div
      className={cx(
        "flex items-center gap-1",
        overlay
          ? "fixed inset-x-3 bottom-20 z-60 mx-auto max-w-lg rounded-md border border-bad/30 bg-raised shadow-float sm:bottom-6 [&_[role=alert]]:border-0 [&_[role=alert]]:bg-transparent"
          : "p-2",
      )}
    >
      <div className="min-w-0 flex-1">
        <Notice
          title="Couldn't load this part of the page"
          {...(failure === "outdated"
            ? { retry: "Reload", onRetry: () => window.location.reload() }
            : { retry: "Try again", onRetry })}
        >
          {LOAD_FAILURE_MESSAGES[failure]}
        </Notice>
      </div>
      {onClose && <IconButton name="close" label="Dismiss" onClick={onClose} className="mr-1.5 size-8" />}
    </div>
  )
  return overlay ? createPortal(notice, document.body) : notice
}

/**
 * Returns a component whose code is loaded when it is first rendered. If loading fails, it shows an error with a retry
 * button; `React.lazy` and `next/dynamic` cannot retry.
 */
export const lazyWithRetry = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { onDismiss, overlay = false }: LazyOptions<Props> = {},
): ComponentType<Props> => {
  let loaded: ComponentType<Props> | null = null
  return (props) => {
    const [Component, setComponent] = useState(() => loaded)
    const [failure, setFailure] = useState<{ error: unknown; kind: LoadFailure } | null>(null)
    const loadComponent = useCallback(
      () =>
        load().then(
          (component) => {
            loaded = component
            setComponent(() => component)
          },
          async (error) => setFailure({ error, kind: await classifyLoadError(error) }),
        ),
      [],
    )
    useEffect(() => {
      if (!Component) void loadComponent()
    }, [Component, loadComponent])
    if (Component) return <Component {...props} />
    if (!failure) return null
    if (!isChunkLoadError(failure.error)) throw failure.error
    return (
      <LoadFailureNotice
        failure={failure.kind}
        overlay={overlay}
        onRetry={() => void loadComponent()}
        onClose={onDismiss && (() => onDismiss(props))}
      />
    )
  }
}
