"use client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { ReplacementHit, SkippedHit } from "#lib/domain/replacements.ts"
import { client, errorMessage } from "../api/client.ts"
import { invalidateRecording } from "../api/query-keys.ts"
import { formatCount } from "../ui/format.ts"
import { notify, notifyError } from "../ui/toast-queue.ts"
import type { What } from "./use-preview-hits.ts"

/** The number of hits of one call, so that a library shows progress. */
const BATCH = 200

export type ReplaceState = {
  readonly isPending: boolean
  readonly done: number
  readonly total: number
  readonly skipped: readonly SkippedHit[]
  readonly error: string | null
}

const IDLE: ReplaceState = { isPending: false, done: 0, total: 0, skipped: [], error: null }

/** Returns a function that replaces hits, call after call, and offers to undo all of it. */
export const useReplace = (onDone: (skipped: readonly SkippedHit[]) => void) => {
  const queryClient = useQueryClient()
  const [state, setState] = useState(IDLE)

  const undo = async (id: string, clips: readonly string[]) => {
    try {
      const { edits } = await client.undoReplacement(id)
      notify(`${formatCount(edits, "replacement")} undone`)
    } catch (error) {
      notifyError(errorMessage(error))
    }
    await invalidateRecording(queryClient, ...clips)
  }

  const replace = async ({ clip_id: _, ...what }: What, hits: readonly ReplacementHit[]) => {
    const clips = [...new Set(hits.map(({ clip_id }) => clip_id))]
    const skipped: SkippedHit[] = []
    let id: string | undefined
    let edits = 0
    try {
      for (let done = 0; done < hits.length; done += BATCH) {
        setState({ isPending: true, done, total: hits.length, skipped, error: null })
        const batch = hits.slice(done, done + BATCH).map(({ clip_id, start_s, end_s, speaker, text }) => ({
          clip_id,
          start_s,
          end_s,
          speaker,
          text,
        }))
        const result = await client.replace({ ...what, hits: batch, ...(id !== undefined && { replacement_id: id }) })
        id = result.id
        edits += result.edits
        skipped.push(...result.skipped)
      }
      setState({ ...IDLE, skipped })
      onDone(skipped)
    } catch (error) {
      setState({ ...IDLE, skipped, error: errorMessage(error) })
    }
    if (id !== undefined && edits > 0) {
      const made = id
      notify(`${formatCount(edits, "replacement")} made`, () => void undo(made, clips))
    }
    await invalidateRecording(queryClient, ...clips)
  }
  return { state, replace }
}
