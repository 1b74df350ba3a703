import type { IncomingMessage } from "node:http"
import { SCOPES } from "../../domain/constants.ts"
import { checkScope, type Scope } from "../../domain/tokens.ts"

/** Headers by which the server tells a route who sends a request. Values that a client sends are removed. */
const SCOPES_HEADER = "x-earmark-scopes"
const TOKEN_ID_HEADER = "x-earmark-token-id"
const CLIENT_HEADER = "x-earmark-client"

/** Who sends a request. `tokenId` is null for the token of the settings, and if none is required. */
export type Caller = { readonly scopes: readonly Scope[]; readonly tokenId: string | null }

/** Sets who sends a request, or removes what the client sent about that. */
export const setCaller = ({ headers }: Pick<IncomingMessage, "headers">, caller?: Caller): void => {
  delete headers[SCOPES_HEADER]
  delete headers[TOKEN_ID_HEADER]
  if (!caller) return
  headers[SCOPES_HEADER] = caller.scopes.join(" ")
  if (caller.tokenId !== null) headers[TOKEN_ID_HEADER] = caller.tokenId
}

/** Sets the key that the failed attempts of a client are counted by, whatever the client sent as such. */
export const setClientKey = ({ headers }: Pick<IncomingMessage, "headers">, key: string): void => {
  headers[CLIENT_HEADER] = key
}

export const readClientKey = ({ headers }: Request): string => headers.get(CLIENT_HEADER) ?? ""

/** Returns the ID of the API token with which a request was sent, or null. */
export const readTokenId = ({ headers }: Request): string | null => headers.get(TOKEN_ID_HEADER)

/** Returns the scopes of a request that passed the server. */
export const readScopes = (headers: Headers): Scope[] => {
  const given = (headers.get(SCOPES_HEADER) ?? "").split(" ")
  return SCOPES.filter((scope) => given.includes(scope))
}

/** @throws AppError `insufficient_scope` */
export const requireScope = ({ headers }: Request, needed: Scope): void => checkScope(readScopes(headers), needed)
