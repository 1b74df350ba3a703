import * as z from "zod"
import { SCOPES } from "./constants.ts"
import { AppError } from "./errors.ts"
import { cleanName, isoTime } from "./schemas.ts"

export const scope = z.enum(SCOPES)
export type Scope = z.infer<typeof scope>

/** Returns true if one of the granted scopes includes the needed one: `admin` includes `write`, and `write` includes `read`. */
export const hasScope = (granted: readonly Scope[], needed: Scope): boolean =>
  granted.some((own) => SCOPES.indexOf(own) >= SCOPES.indexOf(needed))

/** @throws AppError `insufficient_scope` */
export const checkScope = (granted: readonly Scope[], needed: Scope): void => {
  if (hasScope(granted, needed)) return
  throw new AppError(
    "insufficient_scope",
    `This call needs the scope '${needed}', and the token has ${granted.map((own) => `'${own}'`).join(", ") || "none"}. ` +
      `Use another token, or create one: earmark tokens create NAME --scope ${needed}.`,
    { challenge: `error="insufficient_scope", scope="${needed}"` },
  )
}

/** An API token as callers see it. The secret is shown only when the token is created. */
export const apiToken = z.object({
  id: z.string().describe("The visible part of the token: `earmark_<id>_…`"),
  name: z.string().describe("What the token is for"),
  scopes: z.array(scope).describe("What the token permits. `admin` includes `write`, and `write` includes `read`"),
  created_at: isoTime.describe("When the token was created"),
  expires_at: isoTime.nullable().describe("When the token expires; null if never"),
  last_used_at: isoTime.nullable().describe("When the token was last used, accurate to a minute; null if never"),
})
export type ApiToken = z.infer<typeof apiToken>

export const apiTokenRequest = z.object({
  name: z.string().overwrite(cleanName).min(1).max(100).describe("What the token is for"),
  scopes: z
    .array(scope)
    .min(1)
    .max(SCOPES.length)
    .describe("`read`, `write` (includes `read`) or `admin` (includes both)"),
  expires_at: isoTime.nullable().default(null).describe("The token never expires if this is null or missing"),
})
export type ApiTokenRequest = z.infer<typeof apiTokenRequest>
