import { AppError, messageOf } from "../../domain/errors.ts"
import type { Logger } from "../../platform/logger.ts"
import type { SummaryClaim } from "../../storage/stores/ports/summaries.ts"
import { type Deps, requireStore } from "../deps.ts"

/** The context of a model call, in tokens. With another size than topic calls, Ollama would reload the model. */
const NUM_CTX = 8192
/** Calls of one summary in flight. The limit of the process also counts those of jobs. */
const MAX_CONCURRENT_CALLS = 4
const MAX_TRIES = 3
const RETRY_DELAY_MS = 15_000
/** After this time, another worker makes the summary of a worker that died. */
export const SUMMARY_LEASE_MS = 60_000
const RENEW_INTERVAL_MS = 5_000

type MakeDeps = Pick<Deps, "engines" | "store" | "groups"> & { readonly log: Logger }

/** Fills in the form of a claimed summary from its clip. Returns null if the clip was deleted meanwhile. */
const fillInForm = async (
  deps: MakeDeps,
  { clipId, kind, prompt, options }: SummaryClaim,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
) => {
  const { clips } = requireStore(deps)
  // Read before the clip: of a change in between, the summary then says that it is out of date.
  const version = await clips.getVersion(clipId)
  const clip = await clips.get(clipId)
  if (version === null || clip === null) return null
  const summarizer = await deps.engines.getSummarizer(options)
  const [root] = clip.tree.topics
  const form = {
    kind,
    prompt,
    words: clip.transcription,
    speakers: clip.speakers,
    topics: root ? (root.children.length > 0 ? root.children : [root]) : [],
    language: clip.language,
  }
  const ctx = { signal, numCtx: NUM_CTX, reasoning: false, concurrency: MAX_CONCURRENT_CALLS, onProgress }
  const filled = await summarizer.fillIn(form, ctx)
  const made_from = { transcript: version.transcript, topics: version.topics }
  return { ...filled, provider: summarizer.provider, model: summarizer.model, made_from }
}

/**
 * Makes a claimed summary and records its result or failure. Failures that may pass are tried again, at most three times in
 * all. Ends early if the summary is requested again or deleted. Does not throw unless the store fails.
 */
export const makeSummary = async (deps: MakeDeps, claim: SummaryClaim, stopping: AbortSignal): Promise<void> => {
  const { summaries } = requireStore(deps)
  const log = deps.log.child({ clip: claim.clipId, template: claim.templateId, attempt: claim.attempt })
  const lost = new AbortController()
  const signal = AbortSignal.any([stopping, lost.signal])
  let progress: { done: number; total: number } | null = null
  const renew = async (): Promise<void> => {
    const isHeld = await summaries.renew(claim, SUMMARY_LEASE_MS, progress).catch(() => true)
    if (!isHeld) lost.abort(new AppError("conflict", "The summary was requested again or deleted."))
  }
  const timer = setInterval(() => void renew(), RENEW_INTERVAL_MS)
  try {
    const made = await fillInForm(deps, claim, signal, (done, total) => {
      const isNews = progress?.done !== done
      progress = { done, total }
      if (isNews) void renew()
    })
    if (made === null) return
    const isStored = await summaries.complete(claim, made)
    log.info({ lines: made.lines.length, dropped: made.dropped, isStored }, "summary made")
  } catch (error) {
    if (lost.signal.aborted) return
    if (stopping.aborted) {
      await summaries.fail(claim, { error: "The worker was stopped.", retryInMs: 0 })
      return
    }
    const mayPass = !AppError.is(error) || error.retry !== "never"
    const retryInMs = mayPass && claim.tries < MAX_TRIES ? RETRY_DELAY_MS * claim.tries : null
    log.warn({ err: error, retryInMs }, "summary not made")
    const isKnown = AppError.is(error)
    const message = isKnown
      ? error.message
      : `An error in Earmark: ${messageOf(error)}. The log of the worker has more.`
    await summaries.fail(claim, { error: message, retryInMs })
  } finally {
    clearInterval(timer)
  }
}
