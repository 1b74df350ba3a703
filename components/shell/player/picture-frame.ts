import { useEffect, useRef } from "react"
import { create } from "zustand"

/** The element over which the picture of the loaded recording is shown; null if no page keeps room for it. */
export const usePictureFrame = create<{ readonly frame: HTMLElement | null }>(() => ({ frame: null }))

/** Returns the ref of an element over which the picture is shown while it is mounted. */
export const useFrameRef = () => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = usePictureFrame.getState().frame
    usePictureFrame.setState({ frame: element.current })
    return () => usePictureFrame.setState({ frame: before?.isConnected ? before : null })
  }, [])
  return element
}
