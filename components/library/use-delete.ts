"use client"
import { type InfiniteData, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useCallback } from "react"
import type { ClipList } from "#lib/domain/clips.ts"
import { client, sentence } from "../api.ts"
import { complain, notify, UNDO_MS } from "../ui/messages.ts"
import { hide, show } from "./hidden.ts"

/** What is on its way out: deleted when its time to be taken back is over, or the page is left. */
const leaving = new Map<string, () => void>()

const stay = (id: string): void => {
  leaving.delete(id)
  if (leaving.size === 0) window.removeEventListener("pagehide", all)
}
const now = (id: string): void => {
  leaving.get(id)?.()
  stay(id)
}
const all = (): void => {
  for (const id of [...leaving.keys()]) now(id)
}
const leave = (id: string, go: () => void): void => {
  leaving.set(id, go)
  // Not by the card that was clicked: it is gone by then.
  window.addEventListener("pagehide", all)
}

/** Deletes a recording after a while in which that can be taken back; it is out of sight at once. */
export const useDelete = () => {
  const queries = useQueryClient()
  const router = useRouter()
  return useCallback(
    ({ id, title }: { id: string; title: string }, { away = false } = {}) => {
      hide(id)
      if (away) router.push("/")
      const timer = setTimeout(() => now(id), UNDO_MS)
      leave(id, () => {
        clearTimeout(timer)
        client.deleteClip(id).then(
          () => {
            queries.removeQueries({ queryKey: ["clip", id] })
            queries.setQueriesData<InfiniteData<ClipList>>(
              { queryKey: ["clips"] },
              (list) =>
                list && {
                  ...list,
                  pages: list.pages.map((p) => ({ ...p, clips: p.clips.filter((c) => c.id !== id) })),
                },
            )
            for (const key of [["jobs"], ["map"], ["library-search"]]) void queries.invalidateQueries({ queryKey: key })
          },
          (error) => {
            show(id)
            complain(sentence(error))
          },
        )
      })
      notify(`“${title}” is deleted`, () => {
        clearTimeout(timer)
        stay(id)
        show(id)
      })
    },
    [queries, router],
  )
}
