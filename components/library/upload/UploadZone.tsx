"use client"
import { type SyntheticEvent, useId, useRef, useState } from "react"
import { openRecorder } from "../../recorder/recorder-store.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { Icon } from "../../ui/Icon.tsx"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { useWindowDrop } from "../../ui/use-window-drop.ts"
import { parseSources, type Source } from "./sources.ts"

type UploadZoneProps = {
  onFiles: (files: File[]) => void
  /** Resolves with the rejected sources. Rejects if all sources are rejected. */
  onSources: (sources: Source[]) => Promise<readonly string[]>
  /** Why the last source was rejected. */
  sourceError: string | null
  isSubmitting: boolean
  /** True if the library is empty. */
  isLarge: boolean
  /** False if only the whole window takes dropped files. */
  isOpen: boolean
  onClose: () => void
}

const PodcastDialog = lazyWithRetry(() => import("./PodcastDialog.tsx").then((m) => m.PodcastDialog), {
  overlay: true,
  onDismiss: (p) => p.onClose(),
})

/** Returns true for a single URL, which may be a podcast feed. */
const isUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text.trim())

const Rings = ({ over, large }: { over: boolean; large: boolean }) => (
  <span
    aria-hidden="true"
    className={cx("relative grid shrink-0 place-items-center text-accent", large ? "size-16" : "size-11")}
  >
    {[0, 0.6, 1.2].map((delay) => (
      <span
        key={delay}
        style={{ animationDelay: `${delay}s` }}
        className={cx("absolute inset-0 rounded-full border-2 border-accent", over ? "animate-ring" : "opacity-0")}
      />
    ))}
    <Icon name="wave" size={large ? 44 : 30} className={cx("transition-transform duration-300", over && "scale-110")} />
  </span>
)

/** Adds recordings by drag and drop, file selection, URL or path. */
export const UploadZone = (p: UploadZoneProps) => {
  const { onFiles, onSources, sourceError, isSubmitting, isLarge, isOpen, onClose } = p
  const isDraggedOver = useWindowDrop(onFiles)
  const input = useRef<HTMLInputElement>(null)
  const [source, setSource] = useState("")
  const [feed, setFeed] = useState<string | null>(null)
  const errorId = useId()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const sources = parseSources(source)
    if (sources.length === 0 || isSubmitting) return
    onSources(sources.map((source) => ({ source }))).then(
      // Rejected sources stay in the field, so that they can be corrected.
      (rejected) => setSource(rejected.join("\n")),
      () => undefined,
    )
  }
  const fileInput = (
    <input
      ref={input}
      type="file"
      accept="audio/*,video/*"
      multiple
      tabIndex={-1}
      aria-label="Choose recordings"
      className="sr-only"
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])])
        event.target.value = ""
      }}
    />
  )
  if (!isOpen)
    return (
      <>
        {fileInput}
        {isDraggedOver && (
          <div className="pointer-events-none fixed inset-3 z-40 grid place-items-center rounded-lg border-2 border-dashed border-accent bg-paper/90">
            <p className="flex items-center gap-4 text-2xl font-[600]">
              <Rings over large />
              Drop to upload
            </p>
          </div>
        )}
      </>
    )
  return (
    <section aria-label="Add a recording" className="relative [--fold:2.75rem]">
      <div
        className={cx(
          "dog-ear rounded-lg p-px transition-colors duration-200 [--fold:2.75rem]",
          isDraggedOver ? "bg-accent" : "bg-line-strong",
        )}
      >
        <div className="dog-ear rounded-lg bg-surface [--fold:2.75rem]">
          <button
            type="button"
            onClick={() => input.current?.click()}
            className={cx(
              "group flex w-full items-center outline-offset-[-6px] transition-colors hover:bg-accent-wash",
              isLarge
                ? "flex-col gap-4 px-6 pt-12 pb-8 text-center sm:flex-row sm:gap-7 sm:px-10 sm:py-12 sm:text-left"
                : "gap-3 px-4 py-3 text-left sm:gap-4 sm:px-6",
            )}
          >
            <Rings over={isDraggedOver} large={isLarge} />
            <span className="grid min-w-0 gap-0.5">
              <span className={isLarge ? "text-2xl font-[600]" : "text-lg font-[600]"}>
                {isDraggedOver ? (
                  "Drop to upload"
                ) : (
                  <>
                    <span className="pointer-coarse:hidden">Drop recordings here</span>
                    <span className="hidden pointer-coarse:inline">Add a recording</span>
                  </>
                )}
              </span>
              <span className={cx("text-muted", !isLarge && "text-sm")}>
                or <span className="text-accent underline decoration-1 underline-offset-4">choose files</span>. Audio or
                video, one or more.
              </span>
            </span>
          </button>
          {fileInput}
          <form onSubmit={submit} className="flex gap-2 border-t border-line p-3 sm:px-4">
            <textarea
              value={source}
              onChange={(event) => setSource(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
                submit(event)
              }}
              rows={Math.min(6, source.split("\n").length)}
              aria-label="URLs or server paths of recordings, one per line"
              aria-invalid={sourceError !== null}
              aria-describedby={sourceError ? errorId : undefined}
              placeholder="…or paste URLs, one per line"
              autoComplete="off"
              spellCheck={false}
              className="min-h-9 min-w-0 flex-1 resize-none overflow-hidden rounded-[1.125rem] bg-transparent px-4 py-1.5 text-base placeholder:text-muted max-sm:px-2 max-sm:placeholder:text-sm"
            />
            {isUrl(source) && (
              <Button variant="quiet" onClick={() => setFeed(source.trim())}>
                Browse podcast…
              </Button>
            )}
            {source === "" && (
              <Button icon="mic" aria-label="Record with the microphone" onClick={() => openRecorder()}>
                <span className="max-sm:hidden">Record</span>
              </Button>
            )}
            <Button type="submit" disabled={!source.trim() || isSubmitting}>
              {parseSources(source).length > 1 ? `Add ${parseSources(source).length}` : "Add"}
            </Button>
            {!isLarge && (
              <Button variant="quiet" onClick={onClose}>
                Close
              </Button>
            )}
          </form>
        </div>
      </div>
      <svg viewBox="0 0 44 44" aria-hidden="true" data-over={isDraggedOver} className="fold pointer-events-none">
        <path d="M0.7 0.7V36a7 7 0 0 0 7 7.3h35.6Z" fill="currentColor" />
      </svg>
      {feed && (
        <PodcastDialog
          url={feed}
          onClose={() => setFeed(null)}
          onAdd={(sources) => onSources(sources).then(() => setSource(""))}
        />
      )}
      {sourceError && (
        <p id={errorId} role="alert" className="mt-2 px-4 text-sm text-bad [overflow-wrap:anywhere]">
          {sourceError}
        </p>
      )}
    </section>
  )
}
