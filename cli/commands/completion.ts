import { Argument, type Command } from "commander"
import { listCommands } from "../completion/commands.ts"
import { bashScript, fishScript, zshScript } from "../completion/scripts.ts"

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const
type Shell = keyof typeof SCRIPTS

export const addCompletion = (program: Command): void => {
  program
    .command("completion")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .description("print a script that completes commands and flags; for example: source <(earmark completion bash)")
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell](listCommands(program)))
    })
}
