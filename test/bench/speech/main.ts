import { parseArgs } from "node:util"
import { createSpeech, probeEngines } from "#lib/engines/speech/index.ts"
import type { Transcriber } from "#lib/engines/speech/types.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { wordErrorRate } from "../../integration/speech/helpers.ts"
import { runLongJob } from "./long-job.ts"
import { recordings } from "./recordings.ts"
import { diarizationError, turnsOf } from "./scores.ts"

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

/**
 * Word error rate, diarization error and speed of every engine that can run here, over the bundled recording and those of
 * `--data DIR`. `--engine NAME` and `--model NAME` choose one; `--hours N` sends a recording of that length through a worker and
 * measures the memory of its processes.
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
      else {
        const hours = Number(values.hours)
        const job = {
          engine: name,
          model: values.model ?? config.speech.model,
          hours,
          modelsDir: config.speech.models.dir,
        }
        print({ bench: "speech-memory", hours, ...(await runLongJob(job)) })
      }
    }
  } finally {
    await speech.close()
  }
}
