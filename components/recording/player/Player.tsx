"use client"
import { useEffect, useMemo, useRef } from "react"
import type { Clip } from "#lib/domain/clips.ts"
import { client, errorMessage } from "../../api/client.ts"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Menu, MenuItem } from "../../ui/Menu.tsx"
import { useWaveform } from "../recording-data.ts"
import type { Topic } from "../topics/topic-list.ts"
import { computeSpeechPeaks } from "./draw-waveform.ts"
import {
  attachAudio,
  getCurrentTime,
  PLAYBACK_RATES,
  seek,
  setPlaybackRate,
  togglePlayback,
  usePlayer,
} from "./player.ts"
import { Timeline } from "./Timeline.tsx"

const NO_PEAKS: readonly number[] = []
const JUMP_S = 10

const PlaybackButtons = () => {
  const { isPlaying, audio } = usePlayer()
  const jump = "grid size-9 place-items-center rounded-full text-soft transition hover:bg-accent-wash hover:text-ink"
  return (
    <div className="flex items-center gap-1">
      <button
        type="button"
        aria-label="Back 10 seconds"
        onClick={() => seek(getCurrentTime() - JUMP_S)}
        className={jump}
      >
        <Icon name="retry" size={17} className="-scale-x-100" />
      </button>
      <button
        type="button"
        aria-label={isPlaying ? "Pause" : "Play"}
        title={audio === "absent" ? "No audio to play" : "Space"}
        disabled={audio === "absent"}
        onClick={togglePlayback}
        className="grid size-11 place-items-center rounded-full bg-accent text-accent-ink transition hover:brightness-110 disabled:bg-line-strong disabled:text-muted"
      >
        <Icon name={isPlaying ? "pause" : "play"} size={22} className={cx(!isPlaying && "fill-current")} />
      </button>
      <button
        type="button"
        aria-label="Forward 10 seconds"
        onClick={() => seek(getCurrentTime() + JUMP_S)}
        className={jump}
      >
        <Icon name="retry" size={17} />
      </button>
    </div>
  )
}

const PlaybackRateMenu = () => {
  const rate = usePlayer((s) => s.rate)
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Speed: ${rate}×`}
          className="numeric h-8 rounded-full px-2.5 text-sm font-[560] text-soft transition hover:bg-accent-wash hover:text-ink"
        >
          {rate}×
        </button>
      }
    >
      {PLAYBACK_RATES.map((r) => (
        <MenuItem key={r} onSelect={() => setPlaybackRate(r)} {...(r === rate && { icon: "check" })}>
          {r}×
        </MenuItem>
      ))}
    </Menu>
  )
}

const TimeDisplay = ({ duration }: { duration: number }) => {
  const second = usePlayer((s) => s.second)
  return (
    <p className="numeric text-sm whitespace-nowrap">
      <span className="font-[600]">{formatClock(second)}</span>
      <span className="text-muted"> / {formatClock(duration)}</span>
    </p>
  )
}

/** Returns a note if the audio or the waveform is missing. */
const usePlayerNote = (clip: Clip, waveform: ReturnType<typeof useWaveform>): string | null => {
  const { audio, problem } = usePlayer()
  if (audio === "absent")
    return clip.file_path === null
      ? "This recording has no audio. The timeline shows where people speak."
      : "Couldn't play the audio: the file is missing, or this browser doesn't support its format."
  if (problem) return `Couldn't play the audio: ${problem}`
  if (waveform.isError)
    return `Couldn't load the waveform: ${errorMessage(waveform.error)} The timeline shows where people speak.`
  return null
}

type PlayerProps = {
  clip: Clip
  topics: readonly Topic[]
  /** Stacks the controls vertically, for a narrow panel. */
  isStacked?: boolean
  /** Lets the user drag topic boundaries. */
  canMoveBoundaries?: boolean
}

/** Playback controls and timeline. A page has one player at a time. */
export const Player = ({ clip, topics, isStacked = false, canMoveBoundaries = false }: PlayerProps) => {
  const audio = useRef<HTMLAudioElement>(null)
  const { id, file_path, duration_s, transcription } = clip
  const duration = Math.max(duration_s, transcription.at(-1)?.end ?? 0)
  const waveform = useWaveform(id, file_path !== null)
  const note = usePlayerNote(clip, waveform)
  useEffect(() => {
    if (file_path === null) usePlayer.setState({ audio: "absent" })
    return attachAudio(audio.current, duration)
  }, [file_path, duration])
  const showsSpeech = file_path === null || waveform.isError
  const peaks = useMemo(
    () => (showsSpeech ? computeSpeechPeaks(transcription, duration) : (waveform.data?.peaks ?? NO_PEAKS)),
    [showsSpeech, transcription, duration, waveform.data],
  )
  return (
    <section aria-label="Player" className="grid grid-cols-1 gap-2">
      {file_path !== null && (
        // biome-ignore lint/a11y/useMediaCaption: the transcript below is the caption
        <audio
          ref={audio}
          src={client.audioUrl(id)}
          preload="metadata"
          onError={() => usePlayer.setState({ audio: "absent", isPlaying: false })}
        />
      )}
      <div
        className={cx(
          "grid grid-cols-1 items-center gap-x-5 gap-y-2",
          !isStacked && "sm:grid-cols-[auto_minmax(0,1fr)]",
        )}
      >
        <PlaybackButtons />
        <Timeline peaks={peaks} duration={duration} topics={topics} canMoveBoundaries={canMoveBoundaries} />
        <div className={cx("flex items-center justify-between gap-3", !isStacked && "sm:col-start-2")}>
          <TimeDisplay duration={duration} />
          {note && (
            <p role="status" className="min-w-0 flex-1 text-xs text-muted sm:truncate" title={note}>
              {note}
            </p>
          )}
          <PlaybackRateMenu />
        </div>
      </div>
    </section>
  )
}
