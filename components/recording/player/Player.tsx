"use client"
import { useEffect, useMemo, useRef } from "react"
import type { Clip } from "#lib/domain/clips.ts"
import { errorMessage } from "../../api/client.ts"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { Menu, MenuItem, MenuSeparator } from "../../ui/Menu.tsx"
import { useWaveform } from "../recording-data.ts"
import type { Speaker } from "../speakers/speakers.ts"
import type { Topic } from "../topics/topic-list.ts"
import {
  getCurrentTime,
  mayHavePicture,
  openRecording,
  PLAYBACK_RATES,
  seek,
  setPlaybackRate,
  setSkipsSilence,
  togglePlayback,
  updateRecording,
  usePlayer,
} from "./player.ts"
import { listSilences } from "./silences.ts"
import { Timeline } from "./Timeline.tsx"

const AttachAudio = lazyWithRetry(() => import("./AttachAudio.tsx").then((m) => m.AttachAudio))

const NO_PEAKS: readonly number[] = []
const JUMP_S = 10

const JUMP =
  "grid size-11 place-items-center rounded-full text-soft transition hover:bg-accent-wash hover:text-ink sm:size-9"

const PlaybackButtons = () => {
  const isPlaying = usePlayer((s) => s.isPlaying)
  return (
    <div className="flex items-center gap-1">
      <button
        type="button"
        aria-label="Back 10 seconds"
        onClick={() => seek(getCurrentTime() - JUMP_S)}
        className={JUMP}
      >
        <Icon name="retry" size={17} className="-scale-x-100" />
      </button>
      <button
        type="button"
        aria-label={isPlaying ? "Pause" : "Play"}
        title="Space"
        onClick={togglePlayback}
        className="grid size-11 place-items-center rounded-full bg-accent text-accent-ink transition hover:brightness-110"
      >
        <Icon name={isPlaying ? "pause" : "play"} size={22} className={cx(!isPlaying && "fill-current")} />
      </button>
      <button
        type="button"
        aria-label="Forward 10 seconds"
        onClick={() => seek(getCurrentTime() + JUMP_S)}
        className={cx(JUMP, "max-sm:hidden")}
      >
        <Icon name="retry" size={17} />
      </button>
    </div>
  )
}

const PlaybackRateMenu = () => {
  const { rate, skipsSilence } = usePlayer()
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Speed: ${rate}×`}
          className="numeric h-8 rounded-full px-2.5 max-sm:h-11 text-sm font-[560] text-soft transition hover:bg-accent-wash hover:text-ink"
        >
          {rate}×
        </button>
      }
    >
      <MenuItem onSelect={() => setSkipsSilence(!skipsSilence)} {...(skipsSilence && { icon: "check" as const })}>
        Skip silence
      </MenuItem>
      <MenuSeparator />
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
  if (clip.file_path === null) return null
  if (audio === "absent")
    return "Couldn't play the audio: the file is missing, or this browser doesn't support its format."
  if (problem) return `Couldn't play the audio: ${problem}`
  if (waveform.isError) return `Couldn't load the waveform: ${errorMessage(waveform.error)}`
  return null
}

const NO_SPEAKERS: readonly Speaker[] = []

type PlayerProps = {
  clip: Clip
  topics: readonly Topic[]
  /** Shown as a lane each; leave them out if they are unknown. */
  speakers?: readonly Speaker[]
  /** Stacks the controls vertically, for a narrow panel. */
  isStacked?: boolean
  /** Lets the user drag topic boundaries. */
  canMoveBoundaries?: boolean
}

/** Playback controls and timeline. A page has one player at a time. */
export const Player = (props: PlayerProps) => {
  const { clip, topics, speakers = NO_SPEAKERS, isStacked = false, canMoveBoundaries = false } = props
  const { id, title, file_path, duration_s, transcription } = clip
  const duration = Math.max(duration_s, transcription.at(-1)?.end ?? 0)
  const waveform = useWaveform(id, file_path !== null)
  const note = usePlayerNote(clip, waveform)
  const recording = useMemo(
    () => ({
      id,
      title,
      duration_s: duration,
      hasAudio: file_path !== null,
      mayHavePicture: mayHavePicture(file_path),
      topicStarts: topics.filter((t) => t.level === 2).map((t) => t.node.start_s),
      silences: listSilences(transcription, duration),
    }),
    [id, title, duration, file_path, topics, transcription],
  )
  const newest = useRef(recording)
  newest.current = recording
  // biome-ignore lint/correctness/useExhaustiveDependencies: another recording or file is opened, a changed one is updated
  useEffect(() => openRecording(newest.current), [id, file_path])
  useEffect(() => updateRecording(recording), [recording])
  const hasAudio = usePlayer((s) => s.audio !== "absent")
  const peaks = hasAudio && !waveform.isError ? (waveform.data?.peaks ?? NO_PEAKS) : null
  return (
    <section aria-label="Player" className="grid grid-cols-1 gap-2">
      <div
        className={cx(
          "grid items-center gap-x-3 gap-y-2 sm:gap-x-5",
          isStacked
            ? "grid-cols-1 justify-items-center *:w-full"
            : hasAudio
              ? "grid-cols-[auto_minmax(0,1fr)_auto]"
              : "grid-cols-[minmax(0,1fr)_auto]",
        )}
      >
        {hasAudio && <PlaybackButtons />}
        <Timeline
          peaks={peaks}
          words={transcription}
          speakers={speakers}
          duration={duration}
          topics={topics}
          canMoveBoundaries={canMoveBoundaries}
        />
        <div
          className={cx("flex items-center gap-x-2", isStacked ? "justify-between" : "max-sm:flex-col max-sm:*:h-auto")}
        >
          <TimeDisplay duration={duration} />
          {hasAudio && <PlaybackRateMenu />}
        </div>
      </div>
      {file_path === null && !isStacked && <AttachAudio clip={clip} />}
      {note && (
        <p role="status" className="text-xs text-muted">
          {note}
        </p>
      )}
    </section>
  )
}
