import { AppError, messageOf, retryClassOf } from "../errors.ts"
import type { StageFailure } from "../store/types.ts"
import type { RetryPolicy } from "./stage.ts"

const LONGEST_WAIT_MS = 5 * 60_000
const LATER_MS = 30_000

/**
 * What the store is told about a failed attempt. Waits double from the policy's first one, with jitter between half
 * and all of it, so that jobs that fell together do not come back together. None is longer than five minutes, whatever
 * was asked for (a server may ask for a day): then one looks again.
 * @param tries attempts charged so far, this one included
 */
export const failureOf = (
  error: unknown,
  policy: RetryPolicy,
  tries: number,
  random: () => number = Math.random,
): StageFailure => {
  const kind = retryClassOf(error)
  const asked = AppError.is(error) ? error.retryInMs : undefined
  const backoff = Math.min(policy.backoffMs * 2 ** (tries - 1), LONGEST_WAIT_MS) * (0.5 + random() / 2)
  const wait = { never: 0, retry: asked ?? backoff, later: asked ?? LATER_MS }[kind]
  return { kind, detail: messageOf(error), retryInMs: Math.round(Math.min(wait, LONGEST_WAIT_MS)) }
}
