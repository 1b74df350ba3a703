"use client"
import { EarmarkError } from "#lib/api/client/errors.ts"
import { createUncheckedClient } from "#lib/api/client/unchecked.ts"

export const client = createUncheckedClient({
  // `keepalive` lets a deletion finish after the page is closed.
  fetch: (input, init) => fetch(input, { ...init, keepalive: init?.method === "DELETE" }),
})

/** Returns the message to show for any thrown value. */
export const errorMessage = (error: unknown): string =>
  error instanceof EarmarkError ? error.detail : error instanceof Error ? error.message : String(error)

/** Returns true if the session lacks the scope of the call. */
export const isForbidden = (error: unknown): boolean => error instanceof EarmarkError && error.status === 403

/** Returns true if the service did not respond, or a proxy responded in its place. Retrying may help. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof EarmarkError && [0, 502, 504].includes(error.status)
