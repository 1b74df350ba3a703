import { type Command, InvalidArgumentError, Option } from "commander"
import { SCOPES } from "#lib/domain/constants.ts"
import { AppError } from "#lib/domain/errors.ts"
import { type ApiToken, apiTokenRequest, type Scope } from "#lib/domain/tokens.ts"
import { formatIssue } from "#lib/domain/validation-messages.ts"
import { createToken, isUnprotected, listTokens, revokeToken } from "#lib/services/tokens/tokens.ts"
import { withNode } from "../node.ts"
import { printResult } from "../output.ts"

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

type CreateFlags = { scope: Scope; expires: string | null }

export const addTokens = (program: Command): void => {
  const tokens = program.command("tokens").description("create, list and revoke API tokens")
  tokens
    .command("list", { isDefault: true })
    .description("list tokens with their scopes, expiry and last use")
    .action(() =>
      withNode(async (deps) => {
        const list = await listTokens(deps)
        printResult(list, () => list.tokens.map(line).join("\n") || "no tokens")
      }),
    )
  tokens
    .command("create <name>")
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
    .action((name: string, { scope, expires }: CreateFlags) =>
      withNode(async (deps) => {
        const request = apiTokenRequest.safeParse({ name, scopes: [scope], expires_at: expires })
        if (!request.success) throw new AppError("invalid", `NAME ${formatIssue(request.error.issues[0]!)}`)
        const isFirst = await isUnprotected(deps)
        const created = await createToken(deps, request.data)
        const notes = [
          "It is not shown again. Send it as 'Authorization: Bearer …', or sign in with it at /login.",
          ...(isFirst ? ["It is the first token: from now on the service requires one, except for /health."] : []),
        ]
        if (isFirst && !process.stdout.isTTY) process.stderr.write(`earmark: ${notes.at(-1)}\n`)
        printResult(created, () => [created.token, "", ...notes].join("\n"))
      }),
    )
  tokens
    .command("revoke <id>")
    .description("revoke a token and end the browser sessions that were opened with it")
    .action((id: string) =>
      withNode(async (deps) => {
        await revokeToken(deps, { id })
        const isLast = await isUnprotected(deps)
        const note = "It was the last one: a service on a loopback address no longer requires a token."
        if (isLast && !process.stdout.isTTY) process.stderr.write(`earmark: ${note}\n`)
        printResult({ revoked: id }, () => [`Revoked ${id}.`, ...(isLast ? [note] : [])].join("\n"))
      }),
    )
}
