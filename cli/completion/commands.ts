import type { Command } from "commander"

/** What can follow a command on the command line. */
export type CommandWords = {
  /** The words of the command after `earmark`, such as `clips list`. Empty for `earmark` itself. */
  readonly path: string
  readonly description: string
  readonly subcommands: readonly { readonly name: string; readonly description: string }[]
  readonly flags: readonly FlagWords[]
}

export type FlagWords = {
  readonly flag: string
  readonly description: string
  readonly takesValue: boolean
  /** The values that the flag accepts, if they are known. */
  readonly choices: readonly string[]
}

const visible = (command: Command): readonly Command[] => command.createHelp().visibleCommands(command) as Command[]

const flagsOf = (command: Command): FlagWords[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description, required, optional, argChoices }) =>
      long ? [{ flag: long, description, takesValue: required || optional, choices: argChoices ?? [] }] : [],
    )

/** Lists a program and all of its commands. */
export const listCommands = (command: Command, path = ""): CommandWords[] => {
  const children = visible(command)
  const own: CommandWords = {
    path,
    description: command.description(),
    subcommands: children.map((child) => ({ name: child.name(), description: child.description() })),
    flags: flagsOf(command),
  }
  return [own, ...children.flatMap((child) => listCommands(child, `${path} ${child.name()}`.trim()))]
}
