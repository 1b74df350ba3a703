"use client"
import { useEffect, useMemo } from "react"
import type { Clip } from "#lib/domain/clips.ts"
import { errorMessage } from "../../api/client.ts"
import { useTopicRegions } from "../../api/regions.ts"
import { Player } from "../../recording/player/Player.tsx"
import { seek, subscribeToTime, togglePlayback, usePlayer } from "../../recording/player/player.ts"
import { useClip } from "../../recording/recording-data.ts"
import { listTopics } from "../../recording/topics/topic-list.ts"
import { type ClipRange, playNext, usePlaybackQueue } from "../state/playback-queue.ts"
import { type MapState, useMap } from "../state/store.ts"
import { TopicTranscript } from "./TopicTranscript.tsx"

/** A larger step between two time updates is a seek. */
const MAX_PLAYBACK_STEP_S = 2

type RangePlayerProps = {
  clip: Clip
  range: ClipRange
  autoPlay?: boolean
  /** Plays from this time instead of the start of the range. A new object repeats the request. */
  playFrom?: MapState["playFrom"]
  /** Called when playback reaches the end of the range. */
  onEnd: () => void
}

/** Shows the player of a recording at the start of a range. */
const RangePlayer = ({ clip, range, autoPlay = false, playFrom = null, onEnd }: RangePlayerProps) => {
  const regions = useTopicRegions(clip.id)
  const topics = useMemo(() => listTopics(clip.tree, regions), [clip.tree, regions])
  const { from, to } = range
  // biome-ignore lint/correctness/useExhaustiveDependencies: another recording has another audio element
  useEffect(() => {
    seek(playFrom?.start_s ?? from)
    if ((autoPlay || playFrom) && !usePlayer.getState().isPlaying) togglePlayback()
    let previous = from
    return subscribeToTime((time) => {
      const hasReachedEnd = previous < to && time >= to && time - previous < MAX_PLAYBACK_STEP_S
      previous = time
      if (hasReachedEnd && usePlayer.getState().isPlaying) onEnd()
    })
  }, [clip.id, from, to, autoPlay, playFrom, onEnd])
  return <Player key={clip.id} clip={clip} topics={topics} isStacked />
}

const ClipPlaceholder = ({ error }: { error: Error | null }) =>
  error ? (
    <p role="alert" className="text-sm text-bad">
      {errorMessage(error)}
    </p>
  ) : (
    <div aria-busy="true" className="grid animate-pulse gap-2">
      <span className="sr-only">Loading the recording</span>
      <span className="mx-auto size-11 rounded-full bg-line" />
      <span className="h-16 rounded-md bg-line/60" />
    </div>
  )

/** Plays a topic and shows its transcript. */
export const TopicPlayback = ({ range }: { range: ClipRange }) => {
  const clip = useClip(range.clip)
  const playFrom = useMap((s) => s.playFrom)
  if (!clip.data) return <ClipPlaceholder error={clip.error} />
  return (
    <div className="grid grid-cols-1 gap-3">
      <RangePlayer clip={clip.data} range={range} playFrom={playFrom} onEnd={togglePlayback} />
      <TopicTranscript clip={clip.data} range={range} />
    </div>
  )
}

/** Plays the current range of the playback queue and then the next one. */
export const QueuePlayback = ({ now }: { now: ClipRange }) => {
  const clip = useClip(now.clip)
  const remaining = usePlaybackQueue((s) => s.rest.length)
  if (!clip.data) return <ClipPlaceholder error={clip.error} />
  return (
    <div className="grid grid-cols-1 gap-2">
      <p className="truncate text-xs text-muted">
        <bdi>{clip.data.title}</bdi>
        {remaining > 0 && <span className="numeric"> · {remaining} more after this</span>}
      </p>
      <RangePlayer clip={clip.data} range={now} autoPlay onEnd={playNext} />
    </div>
  )
}
