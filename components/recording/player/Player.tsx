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

const NONE: readonly number[] = []
const JUMP_S = 10

const PlaybackButtons = () => {
  const { isPlaying: playing, audio: sound } = usePlayer()
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
        aria-label={playing ? "Pause" : "Play"}
        title={sound === "absent" ? "There is no recording to play" : "Space"}
        disabled={sound === "absent"}
        onClick={togglePlayback}
        className="grid size-11 place-items-center rounded-full bg-accent text-accent-ink transition hover:brightness-110 disabled:bg-line-strong disabled:text-muted"
      >
        <Icon name={playing ? "pause" : "play"} size={22} className={cx(!playing && "fill-current")} />
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
          aria-label={`Speed, now ${rate} times`}
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

/** Why there is nothing to hear, or nothing to see of it. */
const usePlayerNote = (clip: Clip, waveform: ReturnType<typeof useWaveform>): string | null => {
  const { audio: sound, problem } = usePlayer()
  if (sound === "absent")
    return clip.file_path === null
      ? "No recording is kept for these words. The line shows where people speak."
      : "The recording cannot be played here: its file is gone, or this browser does not know its format."
  if (problem) return `It does not play: ${problem}`
  if (waveform.isError) return `No waveform: ${errorMessage(waveform.error)} The line shows where people speak.`
  return null
}

/** Whether the parts stand below each other, as in a narrow panel. */
type PlayerProps = {
  clip: Clip
  topics: readonly Topic[]
  isStacked?: boolean
  /** Whether the borders of topics can be moved: on the recording's own page. */
  canMoveBoundaries?: boolean
}

/** Sound and the line of time. What it plays is the page's: there is one at a time. */
export const Player = ({
  clip,
  topics,
  isStacked: stacked = false,
  canMoveBoundaries: borders = false,
}: PlayerProps) => {
  const audio = useRef<HTMLAudioElement>(null)
  const { id, file_path, duration_s, transcription } = clip
  const duration = Math.max(duration_s, transcription.at(-1)?.end ?? 0)
  const waveform = useWaveform(id, file_path !== null)
  const note = usePlayerNote(clip, waveform)
  useEffect(() => {
    if (file_path === null) usePlayer.setState({ audio: "absent" })
    return attachAudio(audio.current, duration)
  }, [file_path, duration])
  const spoken = file_path === null || waveform.isError
  const peaks = useMemo(
    () => (spoken ? computeSpeechPeaks(transcription, duration) : (waveform.data?.peaks ?? NONE)),
    [spoken, transcription, duration, waveform.data],
  )
  return (
    <section aria-label="Player" className="grid grid-cols-1 gap-2">
      {file_path !== null && (
        // biome-ignore lint/a11y/useMediaCaption: the transcript below is its caption
        <audio
          ref={audio}
          src={client.audioUrl(id)}
          preload="metadata"
          onError={() => usePlayer.setState({ audio: "absent", isPlaying: false })}
        />
      )}
      <div
        className={cx("grid grid-cols-1 items-center gap-x-5 gap-y-2", !stacked && "sm:grid-cols-[auto_minmax(0,1fr)]")}
      >
        <PlaybackButtons />
        <Timeline peaks={peaks} duration={duration} topics={topics} canMoveBoundaries={borders} />
        <div className={cx("flex items-center justify-between gap-3", !stacked && "sm:col-start-2")}>
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
