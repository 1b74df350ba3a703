/** How a recogniser is loaded: files by absolute path. */
export type RecogniserModel =
  | {
      readonly kind: "transducer"
      readonly encoder: string
      readonly decoder: string
      readonly joiner: string
      readonly tokens: string
    }
  | { readonly kind: "whisper"; readonly encoder: string; readonly decoder: string; readonly tokens: string }
  | { readonly kind: "ctc"; readonly model: string; readonly tokens: string }

/** `cpu`, or `cuda` with sherpa's own GPU libraries in place. */
export type Provider = "cpu" | "cuda"

export type LoadRecogniser = {
  readonly model: RecogniserModel
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

/** One segment as recognised. Seconds: `from_s` in the recording, the others from the segment's start. */
export type Heard = {
  readonly from_s: number
  readonly length_s: number
  readonly text: string
  readonly language: string
  readonly tokens: readonly string[]
  readonly timestamps: readonly number[]
  readonly durations: readonly number[]
  /** Whisper's sentences with their times; empty for others. */
  readonly sentences: readonly { readonly text: string; readonly start: number; readonly length: number }[]
}

export type FeedAnswer = {
  readonly heard: readonly Heard[]
  /** Seconds of the recording up to which all is recognised. */
  readonly done_s: number
}

export type VoicesAnswer = readonly {
  readonly turns: readonly { readonly start: number; readonly end: number }[]
  readonly print: Float32Array | null
}[]

/** What the speech child can be asked for: one recording at a time, in this order: begin, feed…, finish. */
export type Methods = {
  loadRecogniser: (p: LoadRecogniser) => Promise<null>
  /** Forgets what was fed and begins a recording. `language` "": detect. */
  begin: (p: { readonly language: string }) => Promise<null>
  feed: (p: { readonly pcm: Int16Array }) => Promise<FeedAnswer>
  finish: (p: null) => Promise<FeedAnswer>
  loadDiarizer: (p: LoadDiarizer & { readonly speakers: number | null }) => Promise<null>
  /** Takes sound of the part that is diarized next, at most `max` samples in all. */
  collect: (p: { readonly pcm: Int16Array; readonly max: number }) => Promise<null>
  /** Tells the voices of what was collected apart, and forgets it. Seconds from the part's start. */
  diarize: (p: null) => Promise<VoicesAnswer>
}
export type Method = keyof Methods

export type Question = { readonly id: number; readonly method: Method; readonly params: unknown }
export type Answer =
  | { readonly id: number; readonly value: unknown }
  /** `unfit`: the native library itself cannot be loaded. */
  | { readonly id: number; readonly error: string; readonly unfit?: true }
  | { readonly id: number; readonly done: number; readonly total: number }
