import { findQuietestSample } from "../../audio/chunks.ts"
import { SAMPLE_RATE } from "../../audio/decode.ts"
import { createSegmentPacker, type Segment, type SegmentPacker } from "../../audio/pack-segments.ts"
import type {
  BeginRecording,
  FeedResult,
  LoadRecognizer,
  RecognizedSegment,
  RecognizedTokens,
  RecognizerModel,
} from "../protocol.ts"
import { joinHotwords, toBpeVocabulary } from "./hotwords.ts"
import type { NativeRecognizer, NativeVad, Sherpa } from "./native.ts"
import { withTemporaryFile } from "./temporary-file.ts"
import { decodeByteTokens, withLatin1Tokens } from "./whisper-byte-tokens.ts"

const toSamples = (s: number): number => Math.round(s * SAMPLE_RATE)

/** Whisper drops audio after 29.5 s; other models are less accurate on longer segments. */
const SEGMENT_LIMITS = {
  maxLength: toSamples(29),
  minLength: toSamples(8),
  maxGap: toSamples(2),
  margin: toSamples(0.1),
}
/** Silero's window at 16 kHz. */
const WINDOW = 512
const VAD_OPTIONS = { threshold: 0.5, minSilenceDuration: 0.25, minSpeechDuration: 0.25, maxSpeechDuration: 28 }
/** Speech that the detector has not reported yet began at most this long ago. */
const MAX_TAIL_S = 65

const modelConfig = (model: RecognizerModel, language: string): object => {
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

const recognizerConfig = ({ model, threads, provider }: LoadRecognizer, language: string) => ({
  featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
  modelConfig: { ...modelConfig(model, language), numThreads: threads, provider, debug: 0 },
})

const createRecognizer = (sherpa: Sherpa, options: LoadRecognizer): Promise<NativeRecognizer> => {
  const { model } = options
  const create = (tokens: string) =>
    sherpa.OfflineRecognizer.createAsync(recognizerConfig({ ...options, model: { ...model, tokens } }, "en"))
  return model.kind === "whisper" ? withLatin1Tokens(model.tokens, create) : create(model.tokens)
}

/** Creates a recognizer that prefers hotwords, from the same model. */
const createTermRecognizer = (sherpa: Sherpa, options: LoadRecognizer): Promise<NativeRecognizer> =>
  withTemporaryFile(toBpeVocabulary(options.model.tokens), (bpeVocab) => {
    const { modelConfig, ...config } = recognizerConfig(options, "")
    return sherpa.OfflineRecognizer.createAsync({
      ...config,
      modelConfig: { ...modelConfig, modelingUnit: "bpe", bpeVocab },
      decodingMethod: "modified_beam_search",
    })
  })

/** Creates a buffer of the most recent audio, which moves along the recording. */
const createTail = () => {
  let samples = new Float32Array(toSamples(2 * MAX_TAIL_S))
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
    /** Returns a copy, because native code may keep a reference. */
    slice: ({ from: a, to: b }: Segment): Float32Array =>
      samples.slice(Math.max(a - from, 0), Math.min(b - from, length)),
    dropBefore(at: number): void {
      const unneeded = Math.min(Math.max(at - from, 0), length)
      if (unneeded < toSamples(MAX_TAIL_S) / 2) return
      samples.copyWithin(0, unneeded, length)
      from += unneeded
      length -= unneeded
    },
  }
}

type Recording = {
  readonly tail: ReturnType<typeof createTail>
  readonly packer: SegmentPacker
  readonly hotwords: string
  vadEnd: number
}

/** Loads a recognizer and its speech detector. Processes one recording at a time. */
export const loadRecognizer = async (sherpa: Sherpa, options: LoadRecognizer) => {
  const recognizer = await createRecognizer(sherpa, options)
  const isWhisper = options.model.kind === "whisper"
  const silero = { model: options.vad, windowSize: WINDOW, ...VAD_OPTIONS }
  const vad: NativeVad = new sherpa.Vad({ sileroVad: silero, sampleRate: SAMPLE_RATE, numThreads: 1, debug: 0 }, 60)
  let recording: Recording | null = null
  let termRecognizer: NativeRecognizer | null = null

  /**
   * Searches for the hotwords of the recording. This search may lose words or repeat a hotword (k2-fsa/sherpa-onnx#3267), so it
   * does not replace the ordinary one.
   */
  const decodeWithTerms = async (samples: Float32Array, hotwords: string): Promise<RecognizedTokens> => {
    termRecognizer ??= await createTermRecognizer(sherpa, options)
    const stream = termRecognizer.createStream(hotwords)
    stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE })
    const { tokens, timestamps, durations } = await termRecognizer.decodeAsync(stream)
    return { tokens, timestamps, durations }
  }

  const decode = async (segment: Segment, { tail, hotwords }: Recording): Promise<RecognizedSegment> => {
    const stream = recognizer.createStream()
    const samples = tail.slice(segment)
    stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE })
    const raw = await recognizer.decodeAsync(stream)
    const result = isWhisper ? decodeByteTokens(raw) : raw
    const sentences = (result.segment_texts ?? []).map((text, i) => ({
      text,
      start: result.segment_timestamps?.[i] ?? 0,
      length: result.segment_durations?.[i] ?? 0,
    }))
    return {
      from_s: segment.from / SAMPLE_RATE,
      length_s: samples.length / SAMPLE_RATE,
      text: result.text,
      language: result.lang,
      tokens: result.tokens,
      timestamps: result.timestamps,
      durations: result.durations,
      sentences,
      ...(hotwords !== "" && { withTerms: await decodeWithTerms(samples, hotwords) }),
    }
  }

  /** Returns the segments that the detected speech completes. */
  const completedSegments = ({ packer }: Recording): Segment[] => {
    const segments: Segment[] = []
    for (; !vad.isEmpty(); vad.pop()) {
      const { start, samples } = vad.front(false)
      segments.push(...packer.push({ from: start, to: start + samples.length }))
    }
    return segments
  }

  const feedVad = (current: Recording, until: number): void => {
    for (; current.vadEnd + WINDOW <= until; current.vadEnd += WINDOW)
      vad.acceptWaveform(current.tail.slice({ from: current.vadEnd, to: current.vadEnd + WINDOW }))
  }

  const decodeAll = async (segments: readonly Segment[], current: Recording): Promise<RecognizedSegment[]> => {
    const recognized: RecognizedSegment[] = []
    for (const segment of segments) {
      if (recording !== current) break
      recognized.push(await decode(segment, current))
    }
    return recognized
  }

  const requireRecording = (): Recording => {
    if (!recording) throw new Error("begin was not called")
    return recording
  }

  return {
    /** Stops the transcription of the current recording. */
    stop: (): void => {
      recording = null
    },
    begin: ({ language, terms }: BeginRecording): void => {
      if (isWhisper) recognizer.setConfig(recognizerConfig(options, language))
      vad.reset()
      const tail = createTail()
      const { minLength, maxLength, margin } = SEGMENT_LIMITS
      const findCut = ({ from, to }: Segment) =>
        from + findQuietestSample(tail.slice({ from, to: Math.min(to, from + maxLength - 2 * margin) }), minLength)
      const hotwords = options.model.kind === "transducer" ? joinHotwords(terms) : ""
      recording = { tail, packer: createSegmentPacker({ ...SEGMENT_LIMITS, findCut }), hotwords, vadEnd: 0 }
    },
    feed: async (pcm: Int16Array): Promise<FeedResult> => {
      const current = requireRecording()
      current.tail.push(pcm)
      feedVad(current, current.tail.end())
      const segments = await decodeAll(completedSegments(current), current)
      const needed = current.packer.pendingStart() ?? current.tail.end()
      current.tail.dropBefore(Math.min(needed, current.tail.end() - toSamples(MAX_TAIL_S)))
      return { segments, done_s: needed / SAMPLE_RATE }
    },
    finish: async (): Promise<FeedResult> => {
      const current = requireRecording()
      const end = current.tail.end()
      const padding = new Int16Array((WINDOW - ((end - current.vadEnd) % WINDOW)) % WINDOW)
      current.tail.push(padding)
      feedVad(current, current.tail.end())
      vad.flush()
      const segments = [...completedSegments(current), ...current.packer.flush(end)].map(({ from, to }) => ({
        from,
        to: Math.min(to, end),
      }))
      return { segments: await decodeAll(segments, current), done_s: end / SAMPLE_RATE }
    },
  }
}
export type Recognizer = Awaited<ReturnType<typeof loadRecognizer>>
