import { hostname } from "node:os"
import { AppError, messageOf, type RetryClass, retryClassOf } from "../domain/errors.ts"
import type { StageFailure } from "../storage/stores/ports/stages.ts"

const MAX_RETRY_DELAY_MS = 5 * 60_000
const DEFAULT_DEFER_MS = 30_000

/** Returns true for ENOSPC of the local file system. Servers report a full disk in other ways. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && ((error as NodeJS.ErrnoException).code === "ENOSPC" || isDiskFull(error.cause))

/** Defers the stage if the worker's own disk is full: another worker may have space. */
const classifyError = (error: unknown): { readonly kind: RetryClass; readonly detail: string } =>
  isDiskFull(error)
    ? { kind: "later", detail: `The disk of the worker on ${hostname()} is full: ${messageOf(error)}` }
    : { kind: retryClassOf(error), detail: messageOf(error) }

/**
 * Describes a failed attempt for the store. The delay doubles with each attempt and has a jitter of 50 to 100 percent, so that
 * jobs that failed together do not retry together. It never exceeds five minutes, even if a server asks for more.
 * @param tries the number of counted attempts, including this one
 */
export const toStageFailure = (
  error: unknown,
  backoffMs: number,
  tries: number,
  random: () => number = Math.random,
): StageFailure => {
  const { kind, detail } = classifyError(error)
  const asked = AppError.is(error) ? error.retryInMs : undefined
  const backoff = Math.min(backoffMs * 2 ** (tries - 1), MAX_RETRY_DELAY_MS) * (0.5 + random() / 2)
  const wait = { never: 0, retry: asked ?? backoff, later: asked ?? DEFAULT_DEFER_MS }[kind]
  return { kind, detail, retryInMs: Math.round(Math.min(wait, MAX_RETRY_DELAY_MS)) }
}
