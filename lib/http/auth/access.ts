import type { IncomingMessage } from "node:http"
import { SCOPES } from "../../domain/constants.ts"
import { sha256 } from "../../domain/ids.ts"
import { randomSecret, tokenIdOf } from "../../domain/token-secrets.ts"
import type { Scope } from "../../domain/tokens.ts"
import type { Credentials, StoredToken, TokenStore } from "../../storage/stores/ports/tokens.ts"
import { createCredentialCache, findSession, findToken } from "./credentials.ts"
import type { Caller } from "./scopes.ts"
import {
  hasSession,
  isEqualConstantTime,
  readSessionSecrets,
  SESSION_LIFETIME_S,
  sessionCookie,
  storedSessionCookie,
} from "./session.ts"

const ALL_SCOPES: readonly Scope[] = SCOPES
const USE_INTERVAL_MS = 60_000

type Headers = Pick<IncomingMessage, "headers">

/** What a token permits, or the reason why it permits nothing. A known token may have expired; an unknown one may be a guess. */
export type Verdict =
  | { readonly scopes: readonly Scope[]; readonly token: StoredToken | null }
  | { readonly scopes: null; readonly isKnown: boolean; readonly reason: string }

/** Decides who may use the service: the token of the settings, the stored API tokens, and sessions of both. */
export type Access = {
  /** Returns true if requests need a token. */
  isRequired(): Promise<boolean>
  /** Returns who opened the request's session, or null without a valid one. */
  findCaller(request: Headers): Promise<Caller | null>
  /**
   * Checks a token. `beforeRetry` is called for an unknown one before the stored tokens are read again, because that takes
   * time in which the next token could be tried.
   */
  checkToken(text: string, beforeRetry: () => void): Promise<Verdict>
  /** Opens a session for a token that was checked. Returns the Set-Cookie header, or null if the token was revoked. */
  openSession(request: Headers, text: string, token: StoredToken | null): Promise<string | null>
  closeSession(request: Headers): Promise<void>
}

export type AccessOptions = {
  /** The token of the settings. It has every scope. */
  readonly settingToken: string | undefined
  /** Null without a database. */
  readonly store: TokenStore | null
  /** True if other machines can reach the service. It then requires a token even if none exists. */
  readonly isPublic: boolean
  readonly now?: () => number
}

const UNKNOWN = "This token is not known: it is incomplete, or it was revoked."

const isExpired = ({ expiresAt }: StoredToken, now: number): boolean => expiresAt !== null && expiresAt <= now

export const createAccess = ({ settingToken, store, isPublic, now = Date.now }: AccessOptions): Access => {
  const cache = createCredentialCache(store)
  const usedAt = new Map<string, number>()

  const noteUse = (token: StoredToken): void => {
    const last = Math.max(token.lastUsedAt ?? 0, usedAt.get(token.id) ?? 0)
    if (now() - last < USE_INTERVAL_MS) return
    usedAt.set(token.id, now())
    // A request must not fail because its time could not be recorded.
    store?.recordUse(token.id).catch(() => undefined)
  }
  const permit = (token: StoredToken): readonly Scope[] => {
    noteUse(token)
    return token.scopes
  }
  const judge = (text: string, credentials: Credentials): Verdict => {
    const token = findToken(credentials, tokenIdOf(text))
    if (!token || !isEqualConstantTime(sha256(text), token.hash))
      return { scopes: null, isKnown: false, reason: UNKNOWN }
    if (isExpired(token, now()))
      return {
        scopes: null,
        isKnown: true,
        reason: `The token '${token.name}' expired on ${new Date(token.expiresAt!).toISOString().slice(0, 10)}.`,
      }
    return { scopes: permit(token), token }
  }
  const callerOf = (hashes: readonly string[], credentials: Credentials): Caller | null => {
    for (const hash of hashes) {
      const session = findSession(credentials, hash)
      const token = session && session.expiresAt > now() ? findToken(credentials, session.tokenId) : undefined
      if (token && !isExpired(token, now())) return { scopes: permit(token), tokenId: token.id }
    }
    return null
  }

  return {
    isRequired: async () => settingToken !== undefined || isPublic || (await cache.get()).tokens.length > 0,

    findCaller: async (request) => {
      if (settingToken !== undefined && hasSession(request, settingToken)) return { scopes: ALL_SCOPES, tokenId: null }
      const hashes = readSessionSecrets(request).map(sha256)
      if (hashes.length === 0) return null
      // Another process may have opened the session since the credentials were read.
      return callerOf(hashes, await cache.get()) ?? callerOf(hashes, await cache.refresh())
    },

    checkToken: async (text, beforeRetry) => {
      if (settingToken !== undefined && isEqualConstantTime(text, settingToken))
        return { scopes: ALL_SCOPES, token: null }
      if (tokenIdOf(text) === null) {
        beforeRetry()
        return { scopes: null, isKnown: false, reason: UNKNOWN }
      }
      const verdict = judge(text, await cache.get())
      if (verdict.scopes !== null || verdict.isKnown) return verdict
      beforeRetry()
      return judge(text, await cache.refresh())
    },

    openSession: async (request, text, token) => {
      if (token === null) return sessionCookie(request, text)
      const secret = randomSecret()
      const lifetimeMs = Math.min(SESSION_LIFETIME_S * 1000, (token.expiresAt ?? Number.POSITIVE_INFINITY) - now())
      const session = { hash: sha256(secret), tokenId: token.id, expiresAt: now() + lifetimeMs }
      if (!(await store!.openSession(session))) return null
      return storedSessionCookie(request, secret, Math.ceil(lifetimeMs / 1000))
    },

    closeSession: async (request) => {
      const secrets = readSessionSecrets(request)
      if (secrets.length === 0) return
      for (const secret of secrets) await store?.closeSession(sha256(secret))
      await cache.refresh()
    },
  }
}
