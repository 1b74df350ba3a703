import { createRequire } from "node:module"

/** The result for one segment. Times are in seconds from its start. */
export type NativeResult = {
  readonly text: string
  readonly lang: string
  readonly tokens: readonly string[]
  readonly timestamps: readonly number[]
  readonly durations: readonly number[]
  /** Whisper's sentences, if enabled. */
  readonly segment_timestamps?: readonly number[]
  readonly segment_durations?: readonly number[]
  readonly segment_texts?: readonly string[]
}

export type NativeStream = {
  acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void
  inputFinished(): void
}

export type NativeRecognizer = {
  /** `hotwords` needs a transducer with the decoding method `modified_beam_search`. Others end the process. */
  createStream(hotwords?: string): NativeStream
  decodeAsync(stream: NativeStream): Promise<NativeResult>
  setConfig(config: object): void
}

export type NativeVad = {
  acceptWaveform(samples: Float32Array): void
  isEmpty(): boolean
  front(external: boolean): { start: number; samples: Float32Array }
  pop(): void
  flush(): void
  reset(): void
}

/** The part of sherpa-onnx-node (1.13.8) that is used here. The package's own types are incomplete. */
export type Sherpa = {
  readonly version: string
  OfflineRecognizer: { createAsync(config: object): Promise<NativeRecognizer> }
  Vad: new (config: object, bufferSeconds: number) => NativeVad
  OfflineSpeakerDiarization: new (config: object) => { readonly handle: object }
  SpeakerEmbeddingExtractor: new (
    config: object,
  ) => {
    createStream(): NativeStream
    isReady(stream: NativeStream): boolean
    compute(stream: NativeStream, external: boolean): Float32Array
  }
}

/**
 * The package's classes do not expose this function. It is the only way to diarize without blocking the event loop.
 */
export type SherpaAddon = {
  offlineSpeakerDiarizationProcessAsync(
    handle: object,
    samples: Float32Array,
    progress: (done: number, total: number) => number,
  ): Promise<readonly { start: number; end: number; speaker: number }[]>
}

/**
 * Loads the native library. Only the child process may call this, because a damaged model aborts the whole process.
 */
export const loadSherpa = (): { sherpa: Sherpa; addon: SherpaAddon } => {
  const require = createRequire(import.meta.url)
  return {
    sherpa: require("sherpa-onnx-node") as Sherpa,
    addon: require("sherpa-onnx-node/addon.js") as SherpaAddon,
  }
}
