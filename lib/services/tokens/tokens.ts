import type { CreatedToken, TokenList } from "../../api/tokens.ts"
import { AppError } from "../../domain/errors.ts"
import { newApiToken } from "../../domain/token-secrets.ts"
import { type ApiToken, type ApiTokenRequest, hasScope } from "../../domain/tokens.ts"
import type { StoredToken } from "../../storage/stores/ports/tokens.ts"
import { type Deps, requireStore } from "../deps.ts"

type TokenDeps = Pick<Deps, "store" | "groups" | "config">

const toIso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const toApiToken = ({ id, name, scopes, createdAt, expiresAt, lastUsedAt }: StoredToken): ApiToken => ({
  id,
  name,
  scopes: [...scopes],
  created_at: new Date(createdAt).toISOString(),
  expires_at: toIso(expiresAt),
  last_used_at: toIso(lastUsedAt),
})

/** Lists the API tokens, oldest first, including expired ones. */
export const listTokens = async (deps: TokenDeps): Promise<TokenList> => ({
  tokens: (await requireStore(deps).tokens.list()).map(toApiToken),
  is_setting_set: deps.config.http.token !== undefined,
})

/** Returns true if no token protects the service yet. */
export const isUnprotected = async (deps: TokenDeps): Promise<boolean> =>
  deps.config.http.token === undefined && (await requireStore(deps).tokens.list()).length === 0

/**
 * Creates an API token and returns it with its secret, which is not stored. The first token has to have every scope: from
 * then on the service requires a token, and without one of scope `admin` nobody could manage tokens in a browser.
 * @throws AppError `invalid` for an expiry in the past or a first token without `admin`, `conflict` if there are too many
 */
export const createToken = async (
  deps: TokenDeps,
  { name, scopes, expires_at }: ApiTokenRequest,
): Promise<CreatedToken> => {
  const { tokens } = requireStore(deps)
  const expiresAt = expires_at === null ? null : Date.parse(expires_at)
  if (expiresAt !== null && expiresAt <= Date.now())
    throw new AppError("invalid", "expires_at: must be in the future. Leave it out for a token that never expires.")
  if (!hasScope(scopes, "admin") && (await isUnprotected(deps)))
    throw new AppError(
      "invalid",
      "scopes: the first token must have the scope 'admin'. From then on the service requires a token, and you manage the others with this one.",
    )
  const { id, token, hash } = newApiToken()
  const stored = await tokens.create({ id, name, hash, scopes: [...new Set(scopes)], expiresAt })
  return { ...toApiToken(stored), token }
}

/** Revokes an API token and ends its sessions. @throws AppError `not_found` */
export const revokeToken = async (deps: TokenDeps, { id }: { readonly id: string }): Promise<void> => {
  if (!(await requireStore(deps).tokens.revoke(id))) throw new AppError("not_found", `unknown token '${id}'`)
}
