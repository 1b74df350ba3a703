import type { Command } from "commander"
import type { Share } from "#lib/domain/shares.ts"
import { shareRequest } from "#lib/domain/shares.ts"
import { CLIP_ARGUMENT, toClipId } from "../clip-id.ts"
import { parseFlags } from "../flags.ts"
import { printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"
import { parseExpiry } from "./tokens.ts"

const day = (iso: string): string => iso.slice(0, 10)

const describeExpiry = ({ expires_at }: Share): string => {
  if (expires_at === null) return "never expires"
  return `${Date.parse(expires_at) <= Date.now() ? "expired" : "expires"} ${day(expires_at)}`
}

const line = (share: Share): string => `${share.id}  ${describeExpiry(share).padEnd(19)}  ${share.path}  ${share.title}`

type CreateFlags = RemoteFlags & { readonly topic?: string; readonly expires: string | null; readonly audio: boolean }
type ListFlags = RemoteFlags & { readonly clip?: string }

export const addShares = (program: Command): void => {
  const shares = program.command("shares").description("create, list and revoke links that show a recording to others")
  remoteFlags(shares.command("list", { isDefault: true }))
    .description("list share links, newest first")
    .option("--clip <clip>", "only the links of this clip")
    .action(({ clip, ...flags }: ListFlags) =>
      withApi(flags, async (api) => {
        const list = await api.shares(clip === undefined ? {} : { clip_id: toClipId(clip) })
        printResult(list, () => list.shares.map(line).join("\n") || "no share links")
      }),
    )
  remoteFlags(shares.command("create").argument("<clip>", CLIP_ARGUMENT))
    .description("create a link to a recording, or to one topic of it, and print its path")
    .option("--topic <number>", "share only this topic, such as 1.2")
    .option(
      "--expires <time>",
      "days such as 90d, a date such as 2027-01-31, or never",
      (value) => parseExpiry(value),
      null,
    )
    .option("--no-audio", "share only the text")
    .action((clip: string, { topic, expires, audio, ...flags }: CreateFlags) =>
      withApi(flags, async (api) => {
        const request = parseFlags(
          shareRequest,
          { topic: topic ?? null, expires_at: expires, with_audio: audio },
          { expires_at: "--expires", with_audio: "--no-audio" },
        )
        const share = await api.createShare(toClipId(clip), request)
        printResult(
          share,
          () => `${share.path}\nAppend it to the address of your service. Revoke it: earmark shares revoke ${share.id}`,
        )
      }),
    )
  remoteFlags(shares.command("revoke <id>"))
    .description("revoke a share link; its page stops working immediately")
    .action((id: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        await api.revokeShare(id)
        printResult({ revoked: id }, () => `Revoked ${id}.`)
      }),
    )
}
