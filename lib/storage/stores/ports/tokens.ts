import type { Scope } from "../../../domain/tokens.ts"

export type NewToken = {
  readonly id: string
  readonly name: string
  /** The SHA-256 of the token in hex. */
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number | null
}

export type StoredToken = NewToken & { readonly createdAt: number; readonly lastUsedAt: number | null }

/** A browser that signed in with a token. `hash` is the SHA-256 of the secret in its cookie. */
export type StoredSession = { readonly hash: string; readonly tokenId: string; readonly expiresAt: number }

/** Everything that a request can be authenticated with. */
export type Credentials = { readonly tokens: readonly StoredToken[]; readonly sessions: readonly StoredSession[] }

/** Stores API tokens and the sessions of browsers that signed in with them. */
export interface TokenStore {
  /** @throws AppError `conflict` if there are too many tokens */
  create(token: NewToken): Promise<StoredToken>
  /** Lists all tokens, oldest first, including expired ones. */
  list(): Promise<StoredToken[]>
  /** Deletes a token and its sessions. Returns false for an unknown ID. */
  revoke(id: string): Promise<boolean>
  /** Records that a token was used now, unless the last recorded use was less than a minute ago. */
  recordUse(id: string): Promise<void>
  /** Lists all tokens and all sessions that have not expired. */
  getCredentials(): Promise<Credentials>
  /**
   * Opens a session and deletes expired ones. If there are too many, closes those that expire first. Returns false if the
   * token no longer exists.
   */
  openSession(session: StoredSession): Promise<boolean>
  closeSession(hash: string): Promise<void>
}
