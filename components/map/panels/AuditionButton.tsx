"use client"
import { errorMessage } from "../../api/client.ts"
import { togglePlayback } from "../../recording/player/player.ts"
import { useClip } from "../../recording/recording-data.ts"
import { next, type Stretch, useQueue } from "../state/audition.ts"
import { TopicPlayer } from "./TopicPlayer.tsx"
import { TopicTranscript } from "./TopicTranscript.tsx"

const Waiting = ({ error }: { error: Error | null }) =>
  error ? (
    <p role="alert" className="text-sm text-bad">
      {errorMessage(error)}
    </p>
  ) : (
    <div aria-busy="true" className="grid animate-breathe gap-2">
      <span className="sr-only">Reading the recording</span>
      <span className="mx-auto size-11 rounded-full bg-line" />
      <span className="h-16 rounded-md bg-line/60" />
    </div>
  )

/** Plays a topic from its second to its end, with its words. */
export const AuditionButton = ({ stretch }: { stretch: Stretch }) => {
  const clip = useClip(stretch.clip)
  if (!clip.data) return <Waiting error={clip.error} />
  return (
    <div className="grid grid-cols-1 gap-3">
      <TopicPlayer clip={clip.data} stretch={stretch} onEnd={togglePlayback} />
      <TopicTranscript clip={clip.data} stretch={stretch} />
    </div>
  )
}

/** Plays the gathered topics one after the other, whichever recordings they are of. */
export const ListenToAll = ({ now }: { now: Stretch }) => {
  const clip = useClip(now.clip)
  const left = useQueue((s) => s.rest.length)
  if (!clip.data) return <Waiting error={clip.error} />
  return (
    <div className="grid grid-cols-1 gap-2">
      <p className="truncate text-xs text-muted">
        <bdi>{clip.data.title}</bdi>
        {left > 0 && <span className="numeric"> · then {left} more</span>}
      </p>
      <TopicPlayer clip={clip.data} stretch={now} play onEnd={next} />
    </div>
  )
}
