import { setTimeout as sleep } from "node:timers/promises"
import type { Credentials, StoredSession, StoredToken, TokenStore } from "../../storage/stores/ports/tokens.ts"

/** How long a revoked token may still be accepted, because credentials are read this often at most. */
const MAX_AGE_MS = 1000
/** How long a request waits for credentials that are read again. After that, the last known ones count. */
const PATIENCE_MS = 500

const NO_CREDENTIALS: Credentials = { tokens: [], sessions: [] }

/** The stored tokens and sessions, at most a second old. */
export type CredentialCache = {
  /** Returns the credentials. If the database does not answer, returns the last known ones. @throws if there are none */
  get(): Promise<Credentials>
  /** Reads the credentials again. @throws AppError `unavailable` if the database does not answer */
  refresh(): Promise<Credentials>
}

/** Caches the credentials of a store, so that files and pages cost no query each. Without a store there are none. */
export const createCredentialCache = (
  store: Pick<TokenStore, "getCredentials"> | null,
  now: () => number = () => performance.now(),
): CredentialCache => {
  if (store === null) return { get: async () => NO_CREDENTIALS, refresh: async () => NO_CREDENTIALS }
  let known: { readonly credentials: Credentials; readonly readAt: number } | null = null
  let reading: Promise<Credentials> | null = null

  const read = async (): Promise<Credentials> => {
    const readAt = now()
    const credentials = await store.getCredentials()
    known = { credentials, readAt }
    return credentials
  }
  const readOnce = (): Promise<Credentials> => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
  return {
    get: async () => {
      if (known === null) return readOnce()
      const { credentials, readAt } = known
      if (now() - readAt < MAX_AGE_MS) return credentials
      const timer = new AbortController()
      const last = sleep(PATIENCE_MS, credentials, { signal: timer.signal }).catch(() => credentials)
      return Promise.race([readOnce().catch(() => credentials), last]).finally(() => timer.abort())
    },
    refresh: async () => {
      // A read that has already begun may not see what was written before this call.
      await reading?.catch(() => undefined)
      return readOnce()
    },
  }
}

export const findToken = ({ tokens }: Credentials, id: string | null): StoredToken | undefined =>
  tokens.find((token) => token.id === id)

export const findSession = ({ sessions }: Credentials, hash: string): StoredSession | undefined =>
  sessions.find((session) => session.hash === hash)
