import { parseArgs } from "node:util"
import { createSpeech, probeEngines } from "#lib/engines/speech/index.ts"
import type { Transcriber } from "#lib/engines/speech/types.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { wordErrorRate } from "../../integration/speech/helpers.ts"
import { printResult, round } from "../report.ts"
import { runLongJob } from "./long-job.ts"
import { listRecordings } from "./recordings.ts"
import { diarizationErrorRate, joinTurns } from "./scores.ts"

const normalize = (word: string): string => word.toLowerCase().replace(/[^a-z']/g, "")

const transcribe = (engine: Transcriber, path: string, model: string | undefined, language: string | null) =>
  engine.transcribe({
    path,
    language,
    model,
    speakers: undefined,
    signal: new AbortController().signal,
    progress: () => {},
  })

/** Measures word error rate, diarization error rate and speed of one engine for every recording. */
const measure = async (engine: Transcriber, model: string | undefined, dir: string | undefined): Promise<void> => {
  for (const { name, path, text, turns } of listRecordings(dir)) {
    const startedAt = performance.now()
    const transcript = await transcribe(engine, path, model, "en")
    const seconds = (performance.now() - startedAt) / 1000
    const words = transcript.words.map((w) => normalize(w.word)).filter(Boolean)
    printResult({
      bench: "speech",
      recording: name,
      engine: transcript.engine,
      model: transcript.model,
      ...(text !== null && { word_error_rate: round(wordErrorRate(text, words), 3) }),
      ...(turns !== null && {
        diarization_error: round(diarizationErrorRate(turns, joinTurns(transcript.words)), 3),
        diarized: transcript.diarized,
      }),
      speakers: new Set(transcript.words.map((w) => w.speaker)).size,
      seconds: round(seconds, 1),
      times_real_time: round(transcript.duration_s / seconds, 1),
      ...(transcript.notes.length > 0 && { notes: transcript.notes }),
    })
  }
}

/**
 * Measures word error rate, diarization error rate and speed of every available engine, with the bundled recording and
 * those of `--data DIR`. `--engine NAME` and `--model NAME` select one. `--hours N` runs a job with a recording of that
 * length instead, and measures the memory of the worker and its child processes.
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
      if (!probe.available) printResult({ bench: "speech", engine: name, unavailable: probe.detail })
      else if (values.hours === undefined) await measure(await speech.pick(name), values.model, values.data)
      else {
        const hours = Number(values.hours)
        const job = {
          engine: name,
          model: values.model ?? config.speech.model,
          hours,
          modelsDir: config.speech.models.dir,
        }
        printResult({ bench: "speech-memory", hours, ...(await runLongJob(job)) })
      }
    }
  } finally {
    await speech.close()
  }
}
