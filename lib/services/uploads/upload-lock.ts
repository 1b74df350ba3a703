import { setTimeout as pause } from "node:timers/promises"
import { AppError } from "../../domain/errors.ts"
import { newId } from "../../domain/ids.ts"
import type { Store } from "../../storage/stores/ports/store.ts"

/** How long the lock of a process that died blocks others. The holder renews it. */
const TTL_MS = 30_000
const POLL_MS = 50
const WAIT_MS = 60_000

/**
 * Runs `work` while no other process stores, references or removes the upload with this key. Without a database there is only
 * one process, and nothing to lock.
 * @throws AppError `unavailable` if the lock is not free within a minute
 */
export const withUploadLock = async <T>(store: Pick<Store, "outbox"> | null, key: string, work: () => Promise<T>) => {
  if (store === null) return work()
  const lease = { name: `upload ${key}`, owner: newId() }
  const acquire = () => store.outbox.acquireLease({ ...lease, ttlMs: TTL_MS })
  for (const deadline = Date.now() + WAIT_MS; !(await acquire()); await pause(POLL_MS))
    if (Date.now() > deadline)
      throw new AppError("unavailable", "The same file is being stored or deleted at the moment. Try again.", {
        retry: "retry",
      })
  let renewed: Promise<unknown> = Promise.resolve()
  const renewal = setInterval(() => {
    renewed = acquire().catch(() => undefined)
  }, TTL_MS / 3)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    // A renewal that arrives after the release would take the lock again.
    await renewed
    // If this fails, the lock expires.
    await store.outbox.releaseLease(lease).catch(() => undefined)
  }
}
