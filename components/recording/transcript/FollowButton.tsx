"use client"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { getCurrentTime, usePlayer } from "../player/player.ts"

/** Returns to the playback position and lets the transcript follow it again. Shown after the user has scrolled away. */
export const FollowButton = ({ reveal }: { reveal: (time: number, element: Element | null) => void }) => {
  const isShown = usePlayer((s) => !s.isFollowing && (s.isPlaying || s.second > 0))
  return (
    <Button
      icon="down"
      title="Scroll to the playback position and follow it"
      onClick={() => {
        usePlayer.setState({ isFollowing: true })
        reveal(getCurrentTime(), document.querySelector("[data-w][data-now]"))
      }}
      className={cx(
        // At the top, because toasts appear at the bottom.
        "fixed top-[calc(var(--sticky-top)+3.75rem)] left-1/2 z-20 -translate-x-1/2 shadow-float transition max-sm:h-11",
        !isShown && "pointer-events-none invisible opacity-0",
      )}
    >
      Follow
    </Button>
  )
}
