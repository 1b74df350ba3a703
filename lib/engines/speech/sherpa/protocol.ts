/** The files of a recognizer model, as absolute paths. */
export type RecognizerModel =
  | {
      readonly kind: "transducer"
      readonly encoder: string
      readonly decoder: string
      readonly joiner: string
      readonly tokens: string
    }
  | { readonly kind: "whisper"; readonly encoder: string; readonly decoder: string; readonly tokens: string }
  | { readonly kind: "ctc"; readonly model: string; readonly tokens: string }

/** `cuda` requires sherpa's own GPU libraries. */
export type Provider = "cpu" | "cuda"

export type LoadRecognizer = {
  readonly model: RecognizerModel
  readonly vad: string
  readonly threads: number
  readonly provider: Provider
}
export type LoadDiarizer = {
  readonly segmentation: string
  readonly embedding: string
  readonly threads: number
  readonly provider: Provider
}

export type RecognizedTokens = {
  readonly tokens: readonly string[]
  readonly timestamps: readonly number[]
  readonly durations: readonly number[]
}
export type LoadEmbedder = Omit<LoadDiarizer, "segmentation">

/** A transcribed segment. `from_s` is its start in the recording; all other times are relative to that start. */
export type RecognizedSegment = RecognizedTokens & {
  readonly from_s: number
  readonly length_s: number
  readonly text: string
  readonly language: string
  /** What a search that prefers the terms of `begin` found in the same audio. */
  readonly withTerms?: RecognizedTokens
  /** Whisper's sentences; empty for other models. */
  readonly sentences: readonly { readonly text: string; readonly start: number; readonly length: number }[]
}

export type FeedResult = {
  readonly segments: readonly RecognizedSegment[]
  /** Everything before this second of the recording is transcribed. */
  readonly done_s: number
}

export type DiarizedSpeakers = readonly {
  readonly turns: readonly { readonly start: number; readonly end: number }[]
  /** The speaker embedding; null if there is too little speech. */
  readonly embedding: Float32Array | null
}[]

export type BeginRecording = {
  readonly language: string
  /** Terms that a transducer also searches for. */
  readonly terms: readonly string[]
}

/** The methods of the speech process. It transcribes one recording at a time: `begin`, `feed` repeatedly, `finish`. */
export type Methods = {
  loadRecognizer: (p: LoadRecognizer) => Promise<null>
  /** Discards previous audio and begins a recording. An empty `language` means detection. */
  begin: (p: BeginRecording) => Promise<null>
  feed: (p: { readonly pcm: Int16Array }) => Promise<FeedResult>
  finish: (p: null) => Promise<FeedResult>
  loadDiarizer: (p: LoadDiarizer & { readonly speakers: number | null }) => Promise<null>
  /** Adds audio to the part that is diarized next. `max` is the maximum length of the part in samples. */
  collect: (p: { readonly pcm: Int16Array; readonly max: number }) => Promise<null>
  /** Diarizes and discards the collected part. Times are in seconds from its start. */
  diarize: (p: null) => Promise<DiarizedSpeakers>
  loadEmbedder: (p: LoadEmbedder) => Promise<null>
  /** Computes the embedding of speech of one speaker, or null if there is too little. */
  embed: (p: { readonly pcm: Int16Array }) => Promise<Float32Array | null>
}
export type Method = keyof Methods

export type ProcessRequest = { readonly id: number; readonly method: Method; readonly params: unknown }
export type ProcessResponse =
  | { readonly id: number; readonly value: unknown }
  /** `isLibraryError`: the native library itself could not be loaded. */
  | { readonly id: number; readonly error: string; readonly isLibraryError?: true }
  | { readonly id: number; readonly done: number; readonly total: number }
