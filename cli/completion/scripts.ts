import type { CommandWords } from "./commands.ts"

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const wordsOf = ({ subcommands, flags }: CommandWords): string =>
  [...subcommands.map(({ name }) => name), ...flags.map(({ flag }) => flag)].join(" ")

/** Returns the cases of a shell's `case` statement that give the values after a flag: the known ones, or none. */
const valueCases = (commands: readonly CommandWords[]): string => {
  const cases = commands.flatMap(({ path, flags }) =>
    flags
      .filter(({ choices }) => choices.length > 0)
      .map(({ flag, choices }) => `    ${quote(`${path} ${flag}`)}) words=${quote(choices.join(" "))} ;;`),
  )
  return [...new Set(cases)].join("\n")
}

/** Returns the script for bash. It completes commands, flags and their values, and otherwise file names. */
export const bashScript = (commands: readonly CommandWords[]): string => `# bash completion for earmark
_earmark() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path= word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
${commands
  .filter(({ path }) => path !== "")
  .map(({ path }) => `      ${quote(path)}) path=${quote(path)} ;;`)
  .join("\n")}
    esac
  done
  case "$path $previous" in
${valueCases(commands)}
  esac
  if [[ -z $words ]]; then
    case "$path" in
${commands.map((command) => `      ${quote(command.path)}) words=${quote(wordsOf(command))} ;;`).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _earmark earmark
`

/** Returns the script for zsh, which reads completions of bash. */
export const zshScript = (commands: readonly CommandWords[]): string =>
  `#compdef earmark
autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}`

/** Returns the script for fish. */
export const fishScript = (commands: readonly CommandWords[]): string => {
  const lines = commands.flatMap(({ path, subcommands, flags }) => {
    const names = subcommands.map(({ name }) => name)
    const seen = path === "" ? [] : path.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`)
    const condition = [...seen, ...(names.length > 0 ? [`not __fish_seen_subcommand_from ${names.join(" ")}`] : [])]
    const when = condition.length > 0 ? `-n ${quote(condition.join("; and "))} ` : ""
    return [
      ...subcommands.map((s) => `complete -c earmark ${when}-f -a ${s.name} -d ${quote(s.description)}`),
      ...flags.map(({ flag, description, takesValue, choices }) => {
        const values = choices.length > 0 ? ` -f -a ${quote(choices.join(" "))}` : ""
        const value = takesValue ? ` -r${values}` : ""
        return `complete -c earmark ${when}-l ${flag.slice(2)}${value} -d ${quote(description)}`
      }),
    ]
  })
  return `# fish completion for earmark\n${lines.join("\n")}\n`
}
