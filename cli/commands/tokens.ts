import { type Command, InvalidArgumentError, Option } from "commander"
import type { TokenList } from "#lib/api/tokens.ts"
import { SCOPES } from "#lib/domain/constants.ts"
import { type ApiToken, apiTokenRequest, type Scope } from "#lib/domain/tokens.ts"
import { parseFlags } from "../flags.ts"
import { printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

const DAY_MS = 86_400_000
const MAX_DAYS = 3650

/** Parses `90d`, `2027-01-31` (the start of that day, UTC), an ISO time or `never` to an ISO time or null. */
export const parseExpiry = (value: string, now = Date.now()): string | null => {
  if (value === "never") return null
  const days = Number(/^(\d{1,4})d$/.exec(value)?.[1] ?? Number.NaN)
  if (days >= 1 && days <= MAX_DAYS) return new Date(now + days * DAY_MS).toISOString()
  const time = /^\d{4}-\d{2}-\d{2}(T.+Z)?$/.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new InvalidArgumentError("Use days such as 90d, a date such as 2027-01-31, or never.")
}

const day = (iso: string | null, otherwise: string): string => iso?.slice(0, 10) ?? otherwise

const describeExpiry = ({ expires_at }: ApiToken): string => {
  if (expires_at === null) return "never expires"
  return `${Date.parse(expires_at) <= Date.now() ? "expired" : "expires"} ${day(expires_at, "")}`
}

const line = (token: ApiToken): string =>
  `${token.id}  ${token.scopes.join(",").padEnd(10)}  ${describeExpiry(token).padEnd(19)}  ` +
  `${`used ${day(token.last_used_at, "never")}`.padEnd(15)}  ${token.name}`

const isUnprotected = ({ tokens, is_setting_set }: TokenList): boolean => !is_setting_set && tokens.length === 0

type CreateFlags = RemoteFlags & { scope: Scope; expires: string | null }

export const addTokens = (program: Command): void => {
  const tokens = program.command("tokens").description("create, list and revoke API tokens")
  remoteFlags(tokens.command("list", { isDefault: true }))
    .description("list tokens with their scopes, expiry and last use")
    .action((flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const list = await api.tokens()
        printResult(list, () => list.tokens.map(line).join("\n") || "no tokens")
      }),
    )
  remoteFlags(tokens.command("create <name>"))
    .description("create a token and print it once; from the first one on, the service requires a token")
    .addOption(
      new Option("--scope <scope>", "read, write (includes read) or admin (includes both)")
        .choices([...SCOPES])
        .default("read"),
    )
    .option(
      "--expires <time>",
      "days such as 90d, a date such as 2027-01-31, or never",
      (value) => parseExpiry(value),
      null,
    )
    .action((name: string, { scope, expires, ...flags }: CreateFlags) =>
      withApi(flags, async (api) => {
        const request = parseFlags(apiTokenRequest, { name, scopes: [scope], expires_at: expires }, { name: "NAME" })
        const isFirst = isUnprotected(await api.tokens())
        const created = await api.createToken(request)
        const notes = [
          "It is not shown again. Send it as 'Authorization: Bearer …', or sign in with it at /login.",
          ...(isFirst ? ["It is the first token: from now on the service requires one, except for /health."] : []),
        ]
        if (isFirst && !process.stdout.isTTY) process.stderr.write(`earmark: ${notes.at(-1)}\n`)
        printResult(created, () => [created.token, "", ...notes].join("\n"))
      }),
    )
  remoteFlags(tokens.command("revoke <id>"))
    .description("revoke a token and end the browser sessions that were opened with it")
    .action((id: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const before = await api.tokens()
        await api.revokeToken(id)
        const isLast = isUnprotected({ ...before, tokens: before.tokens.filter((token) => token.id !== id) })
        const note = "It was the last one: a service on a loopback address no longer requires a token."
        if (isLast && !process.stdout.isTTY) process.stderr.write(`earmark: ${note}\n`)
        printResult({ revoked: id }, () => [`Revoked ${id}.`, ...(isLast ? [note] : [])].join("\n"))
      }),
    )
}
