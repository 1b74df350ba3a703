import { SAMPLE_RATE } from "../audio/decode.ts"
import { cosineRows, createFft, melFilters } from "./spectrum.ts"

/** Frames of 25 ms every 10 ms for the spectrum, and of 40 ms for the pitch. */
const FRAME = 400
const STEP = 160
const FFT_SIZE = 512
const PITCH_FRAME = 640
const PITCH_FFT_SIZE = 2048
const FILTERS = 26
const COEFFICIENTS = 20
const PRE_EMPHASIS = 0.97
/** The range of the pitch in hertz. */
const [PITCH_LOW, PITCH_HIGH] = [60, 400]
/** A frame is voiced if it resembles itself one period later at least so much. */
const MIN_VOICING = 0.45
/** Frames that are more than 13 dB below the loud ones are pauses. */
const PAUSE_RANGE = 3 * Math.log(10)
const LOUD_QUANTILE = 0.95
const MIN_FRAMES = 200
const PITCH_QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9]
/** The logarithm of the pitch in hertz if nothing is voiced. */
const UNKNOWN_PITCH = Math.log(120)

/** The number of features of a voice. */
export const FEATURES = COEFFICIENTS - 1 + 3 * COEFFICIENTS + PITCH_QUANTILES.length + 1

const hamming = Float64Array.from({ length: FRAME }, (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (FRAME - 1)))
const hanning = Float64Array.from(
  { length: PITCH_FRAME },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (PITCH_FRAME - 1)),
)

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

const quantile = (sorted: Float64Array, share: number): number => {
  const at = share * (sorted.length - 1)
  const below = Math.floor(at)
  return sorted[below]! + (at - below) * ((sorted[below + 1] ?? sorted[below]!) - sorted[below]!)
}

/** Computes the autocorrelation of blocks through their power spectrum. */
const createAutocorrelation = () => {
  const transform = createFft(PITCH_FFT_SIZE)
  const [re, im] = [new Float64Array(PITCH_FFT_SIZE), new Float64Array(PITCH_FFT_SIZE)]
  return (block: Float64Array): Float64Array => {
    re.fill(0)
    im.fill(0)
    re.set(block)
    transform(re, im)
    for (let i = 0; i < PITCH_FFT_SIZE; i++) re[i] = re[i]! ** 2 + im[i]! ** 2
    im.fill(0)
    transform(re, im)
    return re.subarray(0, PITCH_FRAME)
  }
}

/** Returns a function that estimates the pitch of a frame in hertz, and how voiced the frame is, from 0 to 1 (Boersma 1993). */
const createPitchTracker = () => {
  const autocorrelate = createAutocorrelation()
  const ofWindow = Float64Array.from(autocorrelate(hanning))
  const [shortest, longest] = [Math.floor(SAMPLE_RATE / PITCH_HIGH), Math.floor(SAMPLE_RATE / PITCH_LOW)]
  const block = new Float64Array(PITCH_FRAME)
  return (samples: Float64Array, at: number): { pitch: number; voicing: number } => {
    let mean = 0
    for (let i = 0; i < PITCH_FRAME; i++) mean += samples[at + i]! / PITCH_FRAME
    for (let i = 0; i < PITCH_FRAME; i++) block[i] = (samples[at + i]! - mean) * hanning[i]!
    const correlation = autocorrelate(block)
    let [best, period] = [Number.NEGATIVE_INFINITY, longest]
    for (let lag = shortest; lag < longest; lag++) {
      const value = correlation[lag]! / (correlation[0]! + 1e-9) / (ofWindow[lag]! / ofWindow[0]! + 1e-3)
      if (value > best) [best, period] = [value, lag]
    }
    return { pitch: SAMPLE_RATE / period, voicing: best }
  }
}

type Frames = {
  readonly cepstra: readonly Float64Array[]
  readonly energies: Float64Array
  readonly pitches: Float64Array
  readonly voicings: Float64Array
}

/** Analyzes speech frame by frame. Pauses for other work every few hundred frames. */
const analyzeFrames = async (samples: Float64Array, signal: AbortSignal): Promise<Frames> => {
  const count = Math.max(0, 1 + Math.floor((samples.length - PITCH_FRAME) / STEP))
  const transform = createFft(FFT_SIZE)
  const filters = melFilters(FILTERS, { size: FFT_SIZE, rate: SAMPLE_RATE, low: 80, high: 7600 })
  const cosines = cosineRows(COEFFICIENTS, FILTERS)
  const trackPitch = createPitchTracker()
  const [re, im] = [new Float64Array(FFT_SIZE), new Float64Array(FFT_SIZE)]
  const power = new Float64Array(FFT_SIZE / 2 + 1)
  const cepstra: Float64Array[] = []
  const [energies, pitches, voicings] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  for (let frame = 0; frame < count; frame++) {
    const at = frame * STEP
    re.fill(0)
    im.fill(0)
    let energy = 0
    for (let i = 0; i < FRAME; i++) {
      const emphasized = samples[at + i]! - PRE_EMPHASIS * (samples[at + i - 1] ?? 0)
      energy += emphasized ** 2
      re[i] = emphasized * hamming[i]!
    }
    transform(re, im)
    for (let bin = 0; bin < power.length; bin++) power[bin] = re[bin]! ** 2 + im[bin]! ** 2
    const mel = Float64Array.from(filters, (weights) => Math.log(dot(power, weights) + 1e-8))
    cepstra.push(Float64Array.from(cosines, (row) => dot(row, mel)))
    energies[frame] = Math.log(energy + 1e-8)
    const { pitch, voicing } = trackPitch(samples, at)
    pitches[frame] = pitch
    voicings[frame] = voicing
    if (frame % 500 === 499) {
      await new Promise(setImmediate)
      signal.throwIfAborted()
    }
  }
  return { cepstra, energies, pitches, voicings }
}

const meanOf = (rows: readonly Float64Array[]): Float64Array => {
  const mean = new Float64Array(COEFFICIENTS)
  for (const row of rows) for (let i = 0; i < COEFFICIENTS; i++) mean[i]! += row[i]! / rows.length
  return mean
}

const deviationOf = (rows: readonly Float64Array[]): Float64Array => {
  const mean = meanOf(rows)
  const squares = rows.map((row) => row.map((x, i) => (x - mean[i]!) ** 2))
  return meanOf(squares).map(Math.sqrt)
}

/**
 * Describes the voice of speech by statistics of its frames without pauses: the means and deviations of mel-frequency
 * cepstral coefficients, the deviations of their changes, the quantiles of the logarithm of the pitch, how voiced and unvoiced
 * frames differ, which does not depend on the microphone, and the share of voiced frames.
 * @param pcm speech of one speaker, 16 kHz
 * @returns `FEATURES` numbers, or null if there is less than two seconds of speech
 */
export const describeVoice = async (pcm: Int16Array, signal: AbortSignal): Promise<Float64Array | null> => {
  const samples = Float64Array.from(pcm, (x) => x / 32768)
  const { cepstra, energies, pitches, voicings } = await analyzeFrames(samples, signal)
  if (cepstra.length < MIN_FRAMES) return null
  const limit = quantile(Float64Array.from(energies).sort(), LOUD_QUANTILE) - PAUSE_RANGE
  const spoken = [...cepstra.keys()].filter((frame) => energies[frame]! > limit)
  if (spoken.length < MIN_FRAMES) return null
  const rows = spoken.map((frame) => cepstra[frame]!)
  const changes = rows.slice(2).map((row, i) => row.map((x, k) => x - rows[i]![k]!))
  const [voiced, unvoiced] = [true, false].map((wanted) =>
    spoken.filter((frame) => voicings[frame]! > MIN_VOICING === wanted),
  ) as [number[], number[]]
  const logPitches = Float64Array.from(voiced, (frame) => Math.log(pitches[frame]!)).sort()
  const hasPitch = voiced.length > 10
  const differs = hasPitch && unvoiced.length > 10
  const mean = (frames: readonly number[]) => meanOf(frames.map((frame) => cepstra[frame]!))
  const [whenVoiced, whenUnvoiced] = differs ? [mean(voiced), mean(unvoiced)] : [null, null]
  return Float64Array.from([
    ...meanOf(rows).subarray(1),
    ...deviationOf(rows),
    ...deviationOf(changes),
    ...PITCH_QUANTILES.map((share) => 4 * (hasPitch ? quantile(logPitches, share) : UNKNOWN_PITCH)),
    ...(whenVoiced && whenUnvoiced ? whenVoiced.map((x, i) => x - whenUnvoiced[i]!) : new Float64Array(COEFFICIENTS)),
    voiced.length / spoken.length,
  ])
}
