import type { EngineName } from "../../domain/jobs/jobs.ts"
import type { SpeakerEmbeddings } from "../../domain/people/speaker-embeddings.ts"
import type { Waveform } from "../../domain/transcript/waveform.ts"
import type { TimedWord, WordSpan } from "../../domain/transcript/words.ts"
import type { Logger } from "../../platform/logger.ts"
import type { ModelRegistry } from "../models/registry.ts"
import type { CutOptions } from "./audio/cut-audio.ts"
import type { EmbedRequest } from "./speaker-embedding/embed-speakers.ts"

export type TranscribeProgress = {
  /** `model`: downloading a model; `speech`: transcribing; `speakers`: diarizing. */
  readonly phase: "model" | "speech" | "speakers"
  /** Bytes in phase `model`, else seconds of audio. */
  readonly done: number
  readonly total: number
}

export type TranscribeRequest = {
  /** The path of a readable regular file. */
  readonly path: string
  /** null: detect the language. */
  readonly language: string | null
  /** The name of a model of the engine; undefined for the engine's default. */
  readonly model: string | undefined
  /** The number of speakers, if known. */
  readonly speakers: number | undefined
  /** Names and terms that the recording may contain. Engines that can use them are more likely to write them. */
  readonly terms?: readonly string[]
  readonly signal: AbortSignal
  readonly progress: (p: TranscribeProgress) => void
  /** Gets words as soon as they are recognized, in order of time and without speakers. */
  readonly onWords?: (words: readonly TimedWord[]) => void
}

export type Transcript = {
  readonly words: WordSpan[]
  readonly duration_s: number
  readonly language: string | null
  readonly engine: EngineName
  readonly model: string
  /** False if diarization did not run. Every word then has speaker "0". */
  readonly diarized: boolean
  /** True if word times are estimated from the times of longer segments. */
  readonly estimatedTimes: boolean
  /** Remarks for the reader, such as a different engine than the chosen one or missing speaker labels. */
  readonly notes: readonly string[]
}

/** The result of checking whether an engine can run here. If it cannot, `detail` says why and what to do. */
export type EngineProbe =
  | { readonly available: true; readonly detail: string }
  | { readonly available: false; readonly detail: string }

/** A speech engine. Native code runs in child processes, because a crash must not end the worker. */
export interface Transcriber {
  readonly name: EngineName
  /** True if it runs on a GPU of this machine and must take turns with the language model. Defaults to false. */
  readonly usesGpu?: boolean
  probe(): Promise<EngineProbe>
  /** @throws AppError `unsupported_media` if the audio cannot be read, `unavailable` if the engine fails. */
  transcribe(request: TranscribeRequest): Promise<Transcript>
  /** Stops the child processes. */
  close(): Promise<void>
}

export type EngineOptions = {
  readonly log: Logger
  /** SERVICE_SPEECH_MODEL, for requests that name no model; undefined for the engine's default. */
  readonly model: string | undefined
  readonly registry: ModelRegistry
  readonly device: "auto" | "cpu" | "cuda"
  /** The address of an OpenAI-compatible server; undefined if there is none. */
  readonly url: string | undefined
  readonly apiKey: string | undefined
  /** How long a working child process may be silent, and how long a server may take for ten minutes of audio. */
  readonly timeoutMs: number
  /** The maximum length of a recording in seconds. */
  readonly maxDuration_s: number
  /** False if the packages of group `audio` are disabled. */
  readonly enabled: boolean
}

/** A time range in which one speaker speaks, in seconds. Turns may overlap. */
export type SpeakerTurn = { readonly start: number; readonly end: number; readonly speaker: number }

/** The speech engines of an installation. */
export interface Speech {
  /** Returns the engine for a job: the requested one, else the one of the settings or the installation. @throws AppError */
  pick(requested: EngineName | "auto"): Promise<Transcriber>
  /**
   * Computes the embeddings of the speakers of a transcript. Returns null if none are kept.
   * @throws AppError if the audio cannot be read or the embedder fails
   */
  embedSpeakers(request: EmbedRequest): Promise<SpeakerEmbeddings | null>
  /** Decodes a recording and computes its waveform. @throws AppError `unsupported_media` or `capability_missing` */
  computeWaveform(path: string, signal: AbortSignal): Promise<Waveform>
  /** Writes a part of a recording as an MP3 file. @throws AppError `unsupported_media` or `capability_missing` */
  cutAudio(options: CutOptions): Promise<void>
  close(): Promise<void>
}
