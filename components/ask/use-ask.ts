"use client"
import { useCallback, useEffect, useRef, useState } from "react"
import type { QueryScope, QuerySource } from "#lib/contracts/documents.ts"
import { client, sentence } from "../api.ts"

/** A question with as much of its answer as there is. */
export type Turn = {
  readonly id: number
  readonly question: string
  readonly sources: readonly QuerySource[]
  readonly answer: string
  readonly state: "asking" | "writing" | "done" | "stopped" | "failed"
  readonly error?: string
  /** Who answered. */
  readonly by?: string
}

/** Questions and answers of this visit, one at a time. */
export const useAsk = () => {
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const nextId = useRef(0)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const ask = useCallback(async (question: string, scope: QueryScope) => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    const id = nextId.current++
    const patch = (change: (turn: Turn) => Partial<Turn>) =>
      setTurns((all) => all.map((turn) => (turn.id === id ? { ...turn, ...change(turn) } : turn)))
    setTurns((all) => [...all, { id, question, sources: [], answer: "", state: "asking" }])
    try {
      for await (const { event, data } of client.queryStream({ question, scope }, { signal: stop.signal })) {
        if (event === "sources") patch(() => ({ sources: data.sources, state: "writing" }))
        else if (event === "delta") patch((turn) => ({ answer: turn.answer + data.text }))
        else patch(() => ({ answer: data.answer, state: "done", by: data.model ?? data.provider }))
      }
    } catch (error) {
      if (stop.signal.aborted) patch(() => ({ state: "stopped" }))
      else patch(() => ({ state: "failed", error: sentence(error) }))
    } finally {
      if (running.current === stop) running.current = null
    }
  }, [])
  const stop = useCallback(() => running.current?.abort(), [])
  const busy = turns.some(({ state }) => state === "asking" || state === "writing")
  return { turns, ask, stop, busy }
}
