import { quietestPlace } from "../audio/chunks.ts"
import { SAMPLE_RATE } from "../audio/decode.ts"
import { createPacker, type Packer, type Segment } from "../audio/pack-segments.ts"
import type { NativeRecognizer, NativeVad, Sherpa } from "./native.ts"
import type { FeedAnswer, Heard, LoadRecogniser, RecogniserModel } from "./protocol.ts"
import { decodeByteTokens, withLatin1Tokens } from "./whisper-byte-tokens.ts"

const seconds = (s: number): number => Math.round(s * SAMPLE_RATE)

/** Whisper drops what lies beyond 29.5 s; others do worse on longer segments. */
const LIMITS = { max: seconds(29), min: seconds(8), gap: seconds(2), margin: seconds(0.1) }
/** Silero's window at 16 kHz. */
const WINDOW = 512
const VAD = { threshold: 0.5, minSilenceDuration: 0.25, minSpeechDuration: 0.25, maxSpeechDuration: 28 }
/** Speech that the detector has not told of yet began at most so long ago. */
const KEPT_S = 65

const modelConfig = (model: RecogniserModel, language: string): object => {
  switch (model.kind) {
    case "transducer": {
      const { encoder, decoder, joiner, tokens } = model
      return { transducer: { encoder, decoder, joiner }, tokens, modelType: "nemo_transducer" }
    }
    case "whisper": {
      const { encoder, decoder, tokens } = model
      const times = { enableTokenTimestamps: 1, enableSegmentTimestamps: 1 }
      return { whisper: { encoder, decoder, language, task: "transcribe", ...times }, tokens }
    }
    case "ctc":
      return { nemoCtc: { model: model.model }, tokens: model.tokens }
  }
}

const configOf = ({ model, threads, provider }: LoadRecogniser, language: string): object => ({
  featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
  modelConfig: { ...modelConfig(model, language), numThreads: threads, provider, debug: 0 },
})

const load = (sherpa: Sherpa, given: LoadRecogniser): Promise<NativeRecognizer> => {
  const { model } = given
  const create = (tokens: string) =>
    sherpa.OfflineRecognizer.createAsync(configOf({ ...given, model: { ...model, tokens } }, "en"))
  return model.kind === "whisper" ? withLatin1Tokens(model.tokens, create) : create(model.tokens)
}

/** The sound that may still be needed, as a window that moves along the recording. */
const createTail = () => {
  let samples = new Float32Array(seconds(2 * KEPT_S))
  let from = 0
  let length = 0
  return {
    end: () => from + length,
    push(pcm: Int16Array): void {
      if (length + pcm.length > samples.length) {
        const larger = new Float32Array(2 * (length + pcm.length))
        larger.set(samples.subarray(0, length))
        samples = larger
      }
      for (let i = 0; i < pcm.length; i++) samples[length + i] = pcm[i]! / 32768
      length += pcm.length
    },
    /** A copy: native code may keep what it is given. */
    slice: ({ from: a, to: b }: Segment): Float32Array =>
      samples.slice(Math.max(a - from, 0), Math.min(b - from, length)),
    dropBefore(at: number): void {
      const away = Math.min(Math.max(at - from, 0), length)
      if (away < seconds(KEPT_S) / 2) return
      samples.copyWithin(0, away, length)
      from += away
      length -= away
    },
  }
}

type Recording = { tail: ReturnType<typeof createTail>; packer: Packer; shown: number }

/** A loaded recogniser with its detector of speech. Listens to one recording at a time. */
export const loadRecogniser = async (sherpa: Sherpa, given: LoadRecogniser) => {
  const recognizer = await load(sherpa, given)
  const isWhisper = given.model.kind === "whisper"
  const silero = { model: given.vad, windowSize: WINDOW, ...VAD }
  const vad: NativeVad = new sherpa.Vad({ sileroVad: silero, sampleRate: SAMPLE_RATE, numThreads: 1, debug: 0 }, 60)
  let recording: Recording | null = null

  const decode = async (stretch: Segment, { tail }: Recording): Promise<Heard> => {
    const stream = recognizer.createStream()
    const samples = tail.slice(stretch)
    stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE })
    const said = await recognizer.decodeAsync(stream)
    const result = isWhisper ? decodeByteTokens(said) : said
    const sentences = (result.segment_texts ?? []).map((text, i) => ({
      text,
      start: result.segment_timestamps?.[i] ?? 0,
      length: result.segment_durations?.[i] ?? 0,
    }))
    return {
      from_s: stretch.from / SAMPLE_RATE,
      length_s: samples.length / SAMPLE_RATE,
      text: result.text,
      language: result.lang,
      tokens: result.tokens,
      timestamps: result.timestamps,
      durations: result.durations,
      sentences,
    }
  }

  /** Segments that the detector's finished stretches of speech complete. */
  const spoken = ({ packer }: Recording): Segment[] => {
    const segments: Segment[] = []
    for (; !vad.isEmpty(); vad.pop()) {
      const { start, samples } = vad.front(false)
      segments.push(...packer.push({ from: start, to: start + samples.length }))
    }
    return segments
  }

  const show = (current: Recording, until: number): void => {
    for (; current.shown + WINDOW <= until; current.shown += WINDOW)
      vad.acceptWaveform(current.tail.slice({ from: current.shown, to: current.shown + WINDOW }))
  }

  const hear = async (segments: readonly Segment[], current: Recording): Promise<Heard[]> => {
    const heard: Heard[] = []
    for (const segment of segments) {
      if (recording !== current) break
      heard.push(await decode(segment, current))
    }
    return heard
  }

  const listening = (): Recording => {
    if (!recording) throw new Error("no recording was begun")
    return recording
  }

  return {
    /** Nothing more of the recording is recognised. */
    stop: (): void => {
      recording = null
    },
    begin: (language: string): void => {
      if (isWhisper) recognizer.setConfig(configOf(given, language))
      vad.reset()
      const tail = createTail()
      const cut = (stretch: Segment) =>
        stretch.from +
        quietestPlace(
          tail.slice({ ...stretch, to: Math.min(stretch.to, stretch.from + LIMITS.max - 2 * LIMITS.margin) }),
          LIMITS.min,
        )
      recording = { tail, packer: createPacker({ ...LIMITS, cut }), shown: 0 }
    },
    feed: async (pcm: Int16Array): Promise<FeedAnswer> => {
      const current = listening()
      current.tail.push(pcm)
      show(current, current.tail.end())
      const heard = await hear(spoken(current), current)
      const kept = current.packer.pendingFrom() ?? current.tail.end()
      current.tail.dropBefore(Math.min(kept, current.tail.end() - seconds(KEPT_S)))
      return { heard, done_s: kept / SAMPLE_RATE }
    },
    finish: async (): Promise<FeedAnswer> => {
      const current = listening()
      const end = current.tail.end()
      const rest = new Int16Array((WINDOW - ((end - current.shown) % WINDOW)) % WINDOW)
      current.tail.push(rest)
      show(current, current.tail.end())
      vad.flush()
      const segments = [...spoken(current), ...current.packer.flush(end)].map(({ from, to }) => ({
        from,
        to: Math.min(to, end),
      }))
      return { heard: await hear(segments, current), done_s: end / SAMPLE_RATE }
    },
  }
}
export type Recogniser = Awaited<ReturnType<typeof loadRecogniser>>
