import { type Command, Option } from "commander"
import { createClient, type EarmarkClient } from "#lib/api/client/index.ts"
import { AppError } from "#lib/domain/errors.ts"
import { type Api, createLocalApi } from "#lib/services/local-api.ts"
import { withNode } from "./node.ts"

export type RemoteFlags = { readonly url?: string; readonly token?: string }

/** Adds the flags that make a command use a remote service instead of the local store. */
export const remoteFlags = (command: Command): Command =>
  command
    .addOption(new Option("--url <address>", "use the service at this address").env("EARMARK_URL"))
    .addOption(new Option("--token <token>", "token of that service").env("EARMARK_TOKEN"))

/**
 * Opens a client of the service that the flags name. Returns null if they name none.
 * @throws AppError `invalid` for an address that is not http or https
 */
export const openRemote = ({ url, token }: RemoteFlags): EarmarkClient | null => {
  if (!url) return null
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url))
    throw new AppError("invalid", `--url ${url}: use the address of a service, for example http://127.0.0.1:8000.`)
  return createClient({ baseUrl: url, ...(token && { token }) })
}

/** Runs a command on a remote service, or on the local store if the flags name no service. */
export const withApi = async (flags: RemoteFlags, use: (api: Api) => Promise<void>): Promise<void> => {
  const remote = openRemote(flags)
  return remote ? use(remote) : withNode((node) => use(createLocalApi(node)))
}
