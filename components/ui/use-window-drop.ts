"use client"
import { useEffect, useState } from "react"

const hasFiles = (event: DragEvent): boolean => !!event.dataTransfer?.types.includes("Files")

/**
 * Accepts files that are dropped anywhere in the window; otherwise the browser would open a file that misses the drop area.
 * Returns true while files are dragged over the window.
 */
export const useWindowDrop = (onFiles: (files: File[]) => void): boolean => {
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsDraggedOver(true)
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setIsDraggedOver(false)
    const drop = (event: DragEvent) => {
      setIsDraggedOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      onFiles([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener("dragover", drag)
    window.addEventListener("dragleave", leave)
    window.addEventListener("drop", drop)
    return () => {
      window.removeEventListener("dragover", drag)
      window.removeEventListener("dragleave", leave)
      window.removeEventListener("drop", drop)
    }
  }, [onFiles])
  return isDraggedOver
}
