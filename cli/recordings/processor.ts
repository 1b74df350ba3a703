import { createReadStream, openAsBlob } from "node:fs"
import { basename, dirname } from "node:path"
import { requireDone } from "#lib/api/client/convenience.ts"
import type { EarmarkClient } from "#lib/api/client/index.ts"
import type { Clip } from "#lib/domain/clips.ts"
import { AppError } from "#lib/domain/errors.ts"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import type { Config } from "#lib/platform/config/config.ts"
import { Earmark, type RunOptions, type TopicOptions, type Topics, type Transcription } from "#lib/sdk/index.ts"
import { identify } from "#lib/sources/identity.ts"
import type { createStageBars } from "../progress.ts"
import type { Source } from "./sources.ts"

type Bars = ReturnType<typeof createStageBars>

/** What makes transcripts and topics for the command line: this process, or a remote service. */
export type Processor = {
  transcribe(source: Source, options: RunOptions, bars: Bars): Promise<Transcription>
  generateTopics(source: Source, options: TopicOptions, bars: Bars): Promise<Topics>
  close(): Promise<void>
}

export const createLocalProcessor = (config: Config): Processor => {
  const earmarks: Earmark[] = []
  const open = (roots: readonly string[]): Earmark => {
    const earmark = new Earmark({ ...config, roots: [...roots] })
    earmarks.push(earmark)
    return earmark
  }
  let shared: Earmark | undefined
  const main = () => {
    shared ??= open(config.roots)
    return shared
  }
  /** Standard input is stored as an upload. Without a store, its temporary file is read. */
  const resolve = async ({ given, input }: Source, { persist = true }: RunOptions) => {
    if (input === undefined) return { earmark: main(), source: given }
    if (!persist) return { earmark: open([...config.roots, dirname(input)]), source: input }
    return { earmark: main(), source: await main().upload(createReadStream(input), basename(input)) }
  }
  const progress = (bars: Bars): Pick<RunOptions, "onProgress"> => ({
    onProgress: ({ stage, done, total }) => bars.update(stage, done, total),
  })
  return {
    transcribe: async (given, options, bars) => {
      const { earmark, source } = await resolve(given, options)
      const result = await earmark.transcribe(source, { ...options, ...progress(bars) })
      bars.finish("whisper")
      return result
    },
    generateTopics: async (given, options, bars) => {
      const { earmark, source } = await resolve(given, options)
      return earmark.generateTopics(source, { ...options, ...progress(bars) })
    },
    close: async () => {
      for (const earmark of earmarks) await earmark.close()
    },
  }
}

const showJob =
  (bars: Bars) =>
  ({ stages, progress }: JobRecord): void => {
    for (const stage of STAGE_NAMES) if (stages[stage] === "done") bars.finish(stage)
    if (progress) bars.update(progress.stage, progress.done, progress.total)
  }

/** Waits until a job of a service has ended. @throws EarmarkError unless it is done */
export const waitForJob = async (client: EarmarkClient, jobId: string, bars: Bars): Promise<void> =>
  requireDone(await client.wait(jobId, { onProgress: showJob(bars) }))

/** @throws AppError `not_found` */
const openFile = async (path: string): Promise<Blob> => {
  try {
    return await openAsBlob(path)
  } catch (cause) {
    const help = "With --url, files are read from this machine and uploaded."
    throw new AppError("not_found", `no such file: ${path}. ${help}`, { cause })
  }
}

export const createRemoteProcessor = (client: EarmarkClient): Processor => {
  const run = async ({ given, input }: Source, options: TopicOptions, bars: Bars): Promise<Clip> => {
    const { persist = true, ...fields } = options
    if (!persist)
      throw new AppError("invalid", "--no-persist does not go with --url: a service stores what it processes.")
    const onProgress = showJob(bars)
    if (input !== undefined)
      return client.transcribe(await openFile(input), { ...fields, onProgress, filename: "recording" })
    const { ref } = identify(given, { roots: ["/"], cwd: process.cwd() })
    if (ref.kind !== "file" || fields.transcription !== undefined)
      return client.transcribe(given, { ...fields, onProgress })
    return client.transcribe(await openFile(ref.path), { ...fields, onProgress, filename: basename(ref.path) })
  }
  return {
    transcribe: async (source, options, bars) => {
      const clip = await run(source, options, bars)
      const { id, transcription, duration_s, language, speech_engine, whisper_model } = clip
      const { diarized, estimated_times, transcript_notes } = clip
      return {
        session_id: id,
        words: transcription,
        duration_s,
        language,
        speech_engine,
        whisper_model,
        diarized,
        estimated_times,
        transcript_notes,
        kept: false,
      }
    },
    generateTopics: async (source, options, bars) => {
      const { id, tree, transcription } = await run(source, options, bars)
      return { session_id: id, tree, words: transcription }
    },
    close: async () => undefined,
  }
}
