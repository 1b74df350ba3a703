import type { EngineName } from "../../domain/jobs/jobs.ts"
import type { Waveform } from "../../domain/transcript/waveform.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"

export type TranscribeProgress = {
  /** `model` while a model is fetched, `speech` for words, `speakers` for voices. */
  readonly phase: "model" | "speech" | "speakers"
  /** Seconds of audio (bytes while a model is fetched). */
  readonly done: number
  readonly total: number
}

export type TranscribeRequest = {
  /** A regular file that may be read. */
  readonly path: string
  /** null: detect. */
  readonly language: string | null
  /** A model of the engine by name; undefined: the engine's default. */
  readonly model: string | undefined
  /** Number of speakers when known. */
  readonly speakers: number | undefined
  readonly signal: AbortSignal
  readonly progress: (p: TranscribeProgress) => void
}

export type Transcript = {
  readonly words: WordSpan[]
  readonly duration_s: number
  readonly language: string | null
  readonly engine: EngineName
  readonly model: string
  /** False when every word carries speaker "0" because nobody told voices apart. */
  readonly diarized: boolean
  /** True when word times were spread over a longer segment, not recognised. */
  readonly estimatedTimes: boolean
  /** What its reader should know: another engine than the chosen one, speakers that could not be told apart. */
  readonly notes: readonly string[]
}

/** Whether an engine can run here, and if not, the sentence that says what to do. */
export type EngineProbe =
  | { readonly available: true; readonly detail: string }
  | { readonly available: false; readonly detail: string }

/** Turns sound into words. Engines live in child processes: a crash of native code must not take a worker with it. */
export interface Transcriber {
  readonly name: EngineName
  /** It works on a GPU of this machine, and takes turns there with a language model. Left out: it does not. */
  readonly usesGpu?: boolean
  probe(): Promise<EngineProbe>
  /** @throws AppError `unsupported_media` for sound that cannot be read, `unavailable` for an engine that is gone. */
  transcribe(request: TranscribeRequest): Promise<Transcript>
  /** Ends child processes. */
  close(): Promise<void>
}

/** A stretch in which one voice speaks; stretches may overlap. Times in seconds. */
export type SpeakerTurn = { readonly start: number; readonly end: number; readonly speaker: number }

/** What the whisper stage may use: picks the engine that the job asks for. */
export interface Speech {
  /** The engine of a job: its own wish, else the installation's choice. @throws AppError when none can run. */
  pick(wish: EngineName | "auto"): Promise<Transcriber>
  /** How loud a recording is over its time: decoded from end to end. @throws AppError `unsupported_media`, `capability_missing` */
  loudness(path: string, signal: AbortSignal): Promise<Waveform>
  close(): Promise<void>
}
