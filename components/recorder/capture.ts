import { type KeptRecording, keepChunk, lockName } from "./kept-recordings.ts"

/** In the order of preference: the first two can be played up to any part, while MP4 that ends early may be empty. */
const TYPES = ["audio/ogg;codecs=opus", "audio/webm;codecs=opus", "audio/mp4"]
/** Bits per second at which Opus is transparent for speech; an hour takes 29 MB. */
const BITS_PER_SECOND = 64_000
/** At most this much is lost if the page ends. */
const CHUNK_MS = 3000

/** What a person can do about a microphone that cannot be used. */
export class MicrophoneError extends Error {}

const MESSAGES: Readonly<Record<string, string>> = {
  NotAllowedError: "Earmark may not use the microphone. Allow it in the settings of the browser for this site.",
  NotFoundError: "No microphone is connected.",
  NotReadableError: "The microphone cannot be opened. Another program may be using it.",
}

/** Returns why this browser cannot record at this address, or null if it can. */
export const findObstacle = (): string | null => {
  if (!window.isSecureContext || !navigator.mediaDevices)
    return "Browsers allow the microphone only over HTTPS or on localhost. Open Earmark at such an address to record."
  return typeof MediaRecorder === "undefined" ? "This browser cannot record sound." : null
}

/** A recording in progress. */
export type Capture = {
  readonly recording: () => KeptRecording
  /** Returns the loudness of the last moment from 0 to 1. */
  readonly readLevel: () => number
  readonly pause: () => void
  readonly resume: () => void
  /** Ends the recording. Resolves once all of it is kept. Further calls change nothing. */
  readonly stop: () => Promise<KeptRecording>
}

export type CaptureEvents = {
  /** The microphone is gone. What was recorded is kept. */
  readonly onLost: () => void
  /** A part cannot be kept, for example because the disk is full. */
  readonly onProblem: (message: string) => void
}

const openMicrophone = async (): Promise<MediaStream> => {
  try {
    // Echo cancellation would remove what a loudspeaker in the room plays, such as the other side of a call.
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: false, noiseSuppression: true, autoGainControl: true },
    })
  } catch (error) {
    const name = error instanceof Error ? error.name : ""
    throw new MicrophoneError(MESSAGES[name] ?? "The microphone cannot be opened.")
  }
}

/** Holds a lock until the returned function is called. */
const holdLock = async (name: string): Promise<() => void> => {
  let release: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    release = resolve
  })
  await new Promise<void>((resolve) => {
    void navigator.locks.request(name, () => {
      resolve()
      return ended
    })
  })
  return release
}

const createLevelMeter = (stream: MediaStream) => {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    read: (): number => {
      analyser.getFloatTimeDomainData(samples)
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      // From -60 dB to 0 dB.
      return Math.min(1, Math.max(0, 1 + (10 * Math.log10(power + 1e-12)) / 60))
    },
    close: () => void context.close(),
  }
}

/** Asks for the microphone and records it, keeping a part every three seconds. @throws MicrophoneError */
export const startCapture = async ({ onLost, onProblem }: CaptureEvents): Promise<Capture> => {
  const stream = await openMicrophone()
  const mimeType = TYPES.find((candidate) => MediaRecorder.isTypeSupported(candidate))
  const recorder = new MediaRecorder(stream, { audioBitsPerSecond: BITS_PER_SECOND, ...(mimeType && { mimeType }) })
  const id = crypto.randomUUID()
  const startedAt = Date.now()
  const release = await holdLock(lockName(id))
  const meter = createLevelMeter(stream)
  const wakeLock = await navigator.wakeLock?.request("screen").catch(() => null)

  let recordedMs = 0
  let runningSince: number | null = performance.now()
  const elapsed_s = () => (recordedMs + (runningSince === null ? 0 : performance.now() - runningSince)) / 1000
  const recording = (): KeptRecording => ({ id, startedAt, duration_s: elapsed_s(), type: recorder.mimeType })

  let position = 0
  let writes = Promise.resolve()
  recorder.ondataavailable = ({ data }) => {
    if (data.size === 0) return
    const chunk = { ...recording(), position: position++, sound: data }
    writes = writes
      .then(() => keepChunk(chunk))
      .catch(() => onProblem("This browser cannot keep more of the recording. Stop it now, and free disk space."))
  }
  const ended = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve()
  })
  const end = async (): Promise<KeptRecording> => {
    pauseClock()
    // A recorder whose microphone is gone has stopped by itself.
    if (recorder.state !== "inactive") recorder.stop()
    await ended
    await writes
    for (const track of stream.getTracks()) track.stop()
    meter.close()
    void wakeLock?.release()
    release()
    return recording()
  }
  let ending: Promise<KeptRecording> | null = null
  const stop = (): Promise<KeptRecording> => {
    ending ??= end()
    return ending
  }
  const pauseClock = () => {
    recordedMs = elapsed_s() * 1000
    runningSince = null
  }
  for (const track of stream.getTracks()) track.onended = onLost
  recorder.start(CHUNK_MS)
  return {
    recording,
    readLevel: meter.read,
    pause: () => {
      recorder.pause()
      pauseClock()
    },
    resume: () => {
      recorder.resume()
      runningSince = performance.now()
    },
    stop,
  }
}
