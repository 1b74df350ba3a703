import type { IncomingMessage } from "node:http"
import { SCOPES } from "../../domain/constants.ts"
import { checkScope, type Scope } from "../../domain/tokens.ts"

/** The header by which the server tells a route the scopes of a request. A value that a client sends is removed. */
export const SCOPES_HEADER = "x-earmark-scopes"

/** Sets the scopes of a request, or removes those that the client sent if none are given. */
export const setScopes = ({ headers }: Pick<IncomingMessage, "headers">, scopes: readonly Scope[] = []): void => {
  delete headers[SCOPES_HEADER]
  if (scopes.length > 0) headers[SCOPES_HEADER] = scopes.join(" ")
}

/** Returns the scopes of a request that passed the server. */
export const readScopes = (headers: Headers): Scope[] => {
  const given = (headers.get(SCOPES_HEADER) ?? "").split(" ")
  return SCOPES.filter((scope) => given.includes(scope))
}

/** @throws AppError `insufficient_scope` */
export const requireScope = ({ headers }: Request, needed: Scope): void => checkScope(readScopes(headers), needed)
