import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { loadConfig } from "#lib/config.ts"
import { createLogger } from "#lib/logger.ts"
import { createSpeech, probeEngines } from "#lib/speech/index.ts"
import type { Transcriber } from "#lib/speech/types.ts"
import { wordErrorRate } from "../integration/speech-kit.ts"
import { longRecording, memoryOfTree } from "./speech/memory.ts"
import { recordings } from "./speech/recordings.ts"
import { diarizationError, turnsOf } from "./speech/scores.ts"

const print = (figures: object): void => console.log(JSON.stringify(figures))
const rounded = (value: number, digits = 3): number => Number(value.toFixed(digits))
const bare = (word: string): string => word.toLowerCase().replace(/[^a-z']/g, "")

const hear = (engine: Transcriber, path: string, model: string | undefined, language: string | null) =>
  engine.transcribe({
    path,
    language,
    model,
    speakers: undefined,
    signal: new AbortController().signal,
    progress: () => {},
  })

/** One recording through one engine: errors of words and speakers, and how many times faster than it was spoken. */
const measure = async (engine: Transcriber, model: string | undefined, dir: string | undefined): Promise<void> => {
  for (const { name, path, text, turns } of recordings(dir)) {
    const began = performance.now()
    const heard = await hear(engine, path, model, "en")
    const seconds = (performance.now() - began) / 1000
    const words = heard.words.map((w) => bare(w.word)).filter(Boolean)
    print({
      bench: "speech",
      recording: name,
      engine: heard.engine,
      model: heard.model,
      ...(text !== null && { word_error_rate: rounded(wordErrorRate(text, words)) }),
      ...(turns !== null && {
        diarization_error: rounded(diarizationError(turns, turnsOf(heard.words))),
        diarized: heard.diarized,
      }),
      speakers: new Set(heard.words.map((w) => w.speaker)).size,
      seconds: rounded(seconds, 1),
      times_real_time: rounded(heard.duration_s / seconds, 1),
      ...(heard.notes.length > 0 && { notes: heard.notes }),
    })
  }
}

/** Most memory that a recording of so many hours needs, the model's own included. */
const measureMemory = async (engine: Transcriber, model: string | undefined, hours: number): Promise<void> => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-bench-speech-"))
  try {
    const path = join(dir, "long.flac")
    longRecording(recordings(undefined)[0]!.path, path, hours)
    let most = { own: 0, children: 0, all: 0 }
    const before = memoryOfTree()
    const timer = setInterval(() => {
      const now = memoryOfTree()
      const all = now.own + now.children
      if (all > most.all) most = { ...now, all }
    }, 1000)
    const began = performance.now()
    const heard = await hear(engine, path, model, "en").finally(() => clearInterval(timer))
    const seconds = (performance.now() - began) / 1000
    const how = { engine: heard.engine, model: heard.model, diarized: heard.diarized, words: heard.words.length }
    const memory = {
      own_before_mb: rounded(before.own, 0),
      own_mb: rounded(most.own, 0),
      children_mb: rounded(most.children, 0),
      all_mb: rounded(most.all, 0),
    }
    print({ bench: "speech-memory", hours, ...how, ...memory, times_real_time: rounded(heard.duration_s / seconds, 1) })
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/**
 * Word error rate, diarization error and speed of every engine that can run here, over the bundled recording and those of
 * `--data DIR`. `--engine NAME` and `--model NAME` choose one; `--hours N` measures the memory that a long one needs.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      engine: { type: "string" },
      model: { type: "string" },
      hours: { type: "string" },
    },
  })
  const config = loadConfig(process.env)
  const log = createLogger("silent", "bench")
  const speech = createSpeech({ config, log, choose: async () => "pocketsphinx" })
  try {
    for (const { name, probe } of await probeEngines(config, log)) {
      if (values.engine !== undefined && values.engine !== name) continue
      if (!probe.available) print({ bench: "speech", engine: name, not_measured: probe.detail })
      else if (values.hours === undefined) await measure(await speech.pick(name), values.model, values.data)
      else await measureMemory(await speech.pick(name), values.model, Number(values.hours))
    }
  } finally {
    await speech.close()
  }
}
