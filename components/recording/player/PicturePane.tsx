"use client"
import { useFrameRef } from "../../shell/player/picture-frame.ts"

/** Keeps room for the picture of the recording, which the shell shows over it. */
export const PicturePane = ({ className }: { className?: string }) => (
  <section aria-label="Picture" className={className}>
    <div ref={useFrameRef()} className="aspect-video w-full rounded-md bg-black" />
  </section>
)
