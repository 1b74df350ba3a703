import { type Command, Option } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import type { RemoteFlags } from "./remote.ts"

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

/**
 * Makes a command that works on this machine refuse `--url`.
 * @param usesStore true if it works on the store of this machine, so that it refuses EARMARK_URL, too
 */
export const refuseRemote = (command: Command, usesStore: boolean): Command => {
  const url = new Option("--url <address>").hideHelp()
  return command
    .addOption(usesStore ? url.env("EARMARK_URL") : url)
    .addOption(new Option("--token <token>").hideHelp())
    .hook("preAction", () => {
      if (!command.opts<RemoteFlags>().url) return
      const reason = `\`${pathOf(command)}\` works on this machine only. Run it on the machine of the service`
      const isSet = command.getOptionValueSource("url") === "env"
      throw new AppError(
        "invalid",
        `${reason}${isSet ? ", or unset EARMARK_URL to use the store of this machine" : ""}.`,
      )
    })
}
