import { Command } from "commander"
import { describe, expect, it } from "vitest"
import { jobOptions } from "#lib/domain/jobs/jobs.ts"
import { hideTopicFlags, jobFlags, parseJobOptions } from "./job-flags.ts"

const parseGiven = (...flags: string[]) => {
  const command = jobFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  return parseJobOptions(command.parse(flags, { from: "user" }).opts())
}

/** Returns the options with their defaults. */
const parse = (...flags: string[]) => jobOptions.parse(parseGiven(...flags))

describe("the flags of a job", () => {
  it("leave out a language that is only the default, which does not replace a transcript", () => {
    expect(parseGiven()).not.toHaveProperty("language")
    expect(parseGiven("--language", "en")).toMatchObject({ language: "en" })
  })

  it.each([
    ["--title", "Talk", { title: "Talk" }],
    ["--language", "", { language: null }],
    ["--whisper-model", "small", { whisper_model: "small" }],
    ["--speech-engine", "openai", { speech_engine: "openai" }],
    ["--speakers", "3", { speakers: 3 }],
    ["--llm-model", "gemma", { llm_model: "gemma" }],
    ["--provider", "ollama", { provider: "ollama" }],
    ["--max-concurrency", "5", { max_concurrency: 5 }],
    ["--num-ctx-l1", "4096", { num_ctx_l1: 4096 }],
    ["--num-ctx-fanout", "4097", { num_ctx_fanout: 4097 }],
    ["--topic-detail", "more", { topic_detail: "more" }],
    ["--min-subdivide-duration-s", "0", { min_subdivide_duration_s: 0 }],
    ["--boundary-block-seconds", "7.5", { boundary_block_seconds: 7.5 }],
  ])("include %s %s, which sets only its option", (flag, value, changed) => {
    expect(parse(flag, value)).toEqual({ ...jobOptions.parse({}), ...changed })
  })

  it("include switches without a value", () => {
    expect(parse("--reasoning", "--force-retranscribe")).toMatchObject({ reasoning: true, force_retranscribe: true })
    expect(parse()).toEqual(jobOptions.parse({}))
  })

  it("that concern topics are accepted but not shown in the help of a command that prints none", () => {
    const command = hideTopicFlags(jobFlags(new Command()))
    const help = command.helpInformation()
    expect(help).toContain("--speakers")
    expect(help).not.toMatch(/--(provider|llm-model|num-ctx|topic-detail|min-sub|boundary|reasoning)/)
    expect(command.parse(["--provider", "builtin"], { from: "user" }).opts()).toMatchObject({ provider: "builtin" })
  })

  it.each(["", " ", "two"])("reject %j as a number", (value) => {
    expect(() => parse("--speakers", value)).toThrow("Must be a number.")
  })

  it("name the flag of a value outside its limits", () => {
    expect(() => parse("--num-ctx-l1", "7")).toThrow(/^--num-ctx-l1 /)
  })
})
