"use client"
import { useEffect, useMemo } from "react"
import type { Clip } from "#lib/domain/clips.ts"
import { Player } from "../../recording/player/Player.tsx"
import { seek, subscribeToTime, togglePlayback, usePlayer } from "../../recording/player/player.ts"
import { listTopics } from "../../recording/topics/topic-list.ts"
import type { Stretch } from "../state/audition.ts"

/** A longer step between two moments was a jump of the reader's. */
const STEP_S = 2

type TopicPlayerProps = { clip: Clip; stretch: Stretch; play?: boolean; onEnd: () => void }

/** The player of a recording's page, brought to a topic: at once when it is to `play`. `onEnd` when the topic has been heard. */
export const TopicPlayer = ({ clip, stretch, play = false, onEnd }: TopicPlayerProps) => {
  const topics = useMemo(() => listTopics(clip.tree), [clip.tree])
  const { from, to } = stretch
  // biome-ignore lint/correctness/useExhaustiveDependencies: another recording is heard by another element
  useEffect(() => {
    seek(from)
    if (play && !usePlayer.getState().isPlaying) togglePlayback()
    let before = from
    return subscribeToTime((time) => {
      const heard = before < to && time >= to && time - before < STEP_S
      before = time
      if (heard && usePlayer.getState().isPlaying) onEnd()
    })
  }, [clip.id, from, to, play, onEnd])
  return <Player key={clip.id} clip={clip} topics={topics} isStacked />
}
