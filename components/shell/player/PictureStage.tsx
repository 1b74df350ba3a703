"use client"
import { type RefObject, useEffect, useRef } from "react"
import { usePlayer } from "../../recording/player/player.ts"
import { usePictureFrame } from "./picture-frame.ts"

/**
 * Shows the picture of a recording over the frame that its page or the dock keeps free for it. The element never moves in
 * the document, because that would stop playback.
 */
export const PictureStage = ({ video }: { video: RefObject<HTMLVideoElement | null> }) => {
  const stage = useRef<HTMLDivElement>(null)
  const frame = usePictureFrame((s) => s.frame)
  const isPictured = usePlayer((s) => s.picturedId !== null)
  useEffect(() => {
    const { current } = stage
    if (!current) return
    if (!frame || !isPictured) {
      current.style.visibility = "hidden"
      return
    }
    let request = 0
    const place = () => {
      const { left, top, width, height } = frame.getBoundingClientRect()
      Object.assign(current.style, {
        visibility: width > 0 && height > 0 ? "visible" : "hidden",
        transform: `translate(${left}px, ${top}px)`,
        width: `${width}px`,
        height: `${height}px`,
        zIndex: frame.dataset.layer ?? "",
      })
    }
    const follow = () => {
      place()
      request = requestAnimationFrame(follow)
    }
    follow()
    return () => cancelAnimationFrame(request)
  }, [frame, isPictured])
  return (
    <div
      ref={stage}
      style={{ visibility: "hidden" }}
      className="pointer-events-none fixed top-0 left-0 z-15 overflow-hidden rounded-md bg-black"
    >
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript on the page is the caption */}
      <video ref={video} playsInline preload="metadata" className="size-full object-contain" />
    </div>
  )
}
