"use client"
import { useQueryClient } from "@tanstack/react-query"
import { usePathname } from "next/navigation"
import { client, errorMessage } from "../../api/client.ts"
import { invalidateJobs } from "../../api/query-keys.ts"
import { openRecorder } from "../../recorder/recorder-store.ts"
import { notify, notifyError } from "../../ui/toast-queue.ts"
import type { PaletteAction } from "./palette-items.ts"

/** Returns the ID of the recording whose page is open, or null. */
const getOpenRecording = (path: string): string | null => {
  const id = /^\/library\/([^/]+)$/.exec(path)?.[1]
  return id === undefined ? null : decodeURIComponent(id)
}

/** Returns the actions of the palette: those of the recording whose page is open, and those of the library. */
export const usePaletteActions = (): PaletteAction[] => {
  const path = usePathname()
  const queryClient = useQueryClient()
  const id = getOpenRecording(path)
  const rerun = async (clipId: string) => {
    try {
      await client.rerunTopics(clipId, {})
      notify("The topics of this recording are being found again")
    } catch (error) {
      notifyError(errorMessage(error))
    }
    void invalidateJobs(queryClient, clipId)
  }
  return [
    ...(id === null
      ? []
      : [
          { icon: "retry", text: "Run again: find the topics of this recording", run: () => void rerun(id) } as const,
          {
            icon: "save",
            text: "Export this recording as Markdown",
            hint: ".md",
            href: client.exportUrl(id, "md"),
            isDownload: true,
          } as const,
        ]),
    { icon: "plus", text: "New: add a recording", href: "/#add" },
    { icon: "mic", text: "New: record with the microphone", run: () => openRecorder() },
    {
      icon: "save",
      text: "Export all recordings as Markdown",
      hint: ".zip",
      href: client.exportClipsUrl({ format: "md" }),
      isDownload: true,
    },
  ]
}
