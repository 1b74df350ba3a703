import { execFileSync } from "node:child_process"
import { Command, Option } from "commander"
import { describe, expect, it } from "vitest"
import { listCommands } from "./commands.ts"
import { bashScript, fishScript } from "./scripts.ts"

const program = new Command("earmark")
program.command("export").addOption(new Option("--format <name>", "it's a format").choices(["srt", "vtt"]))
const clips = program.command("clips").description("work with clips")
clips.command("list").option("--limit <n>", "how many")
clips.command("show")
const commands = listCommands(program)

/** Returns what bash offers for a command line whose last word is being typed. */
const complete = (...words: string[]): string[] => {
  const script = `${bashScript(commands)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _earmark; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\n").filter(Boolean)
}

describe("completion in bash", () => {
  it.each([
    [["earmark", "c"], ["clips"]],
    [
      ["earmark", "clips", ""],
      ["list", "show", "help", "--help"],
    ],
    [["earmark", "clips", "list", "--l"], ["--limit"]],
    [
      ["earmark", "export", "--format", ""],
      ["srt", "vtt"],
    ],
    [["earmark", "export", "id", "--format", "v"], ["vtt"]],
    [["earmark", "nothing", "--x"], []],
  ])("of %j offers %j", (words, offered) => expect(complete(...words)).toEqual(offered))
})

it("describes commands and flags in fish", () => {
  const script = fishScript(commands)
  expect(script).toContain("-f -a clips -d 'work with clips'")
  expect(script).toContain("__fish_seen_subcommand_from export' -l format -r -f -a 'srt vtt' -d 'it'\\''s a format'")
})
