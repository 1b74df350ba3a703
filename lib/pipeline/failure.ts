import { hostname } from "node:os"
import { AppError, messageOf, type RetryClass, retryClassOf } from "../domain/errors.ts"
import type { StageFailure } from "../storage/stores/ports/stages.ts"

const LONGEST_WAIT_MS = 5 * 60_000
const LATER_MS = 30_000

/** Whether a disk of this host had no room, as the file system says; a server that is full says so in other ways. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && ((error as NodeJS.ErrnoException).code === "ENOSPC" || isDiskFull(error.cause))

/** A worker whose own disk is full is nothing against the job: another one takes it meanwhile, or this one when there is room. */
const reasonOf = (error: unknown): { readonly kind: RetryClass; readonly detail: string } =>
  isDiskFull(error)
    ? { kind: "later", detail: `The worker on ${hostname()} has no room on its disk: ${messageOf(error)}` }
    : { kind: retryClassOf(error), detail: messageOf(error) }

/**
 * What the store is told about a failed attempt. Waits double from `backoffMs`, with jitter between half
 * and all of it, so that jobs that fell together do not come back together. None is longer than five minutes, whatever
 * was asked for (a server may ask for a day): then one looks again.
 * @param tries attempts charged so far, this one included
 */
export const failureOf = (
  error: unknown,
  backoffMs: number,
  tries: number,
  random: () => number = Math.random,
): StageFailure => {
  const { kind, detail } = reasonOf(error)
  const asked = AppError.is(error) ? error.retryInMs : undefined
  const backoff = Math.min(backoffMs * 2 ** (tries - 1), LONGEST_WAIT_MS) * (0.5 + random() / 2)
  const wait = { never: 0, retry: asked ?? backoff, later: asked ?? LATER_MS }[kind]
  return { kind, detail, retryInMs: Math.round(Math.min(wait, LONGEST_WAIT_MS)) }
}
