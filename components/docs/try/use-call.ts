"use client"
import { useEffect, useRef, useState } from "react"
import type { ApiCall } from "../filled-form.ts"
import { type Answer, sendCall } from "./send-call.ts"

type State = {
  readonly answer: Answer | null
  /** Why there is no answer. */
  readonly problem: string | null
  readonly isSending: boolean
}

/** Sends calls one at a time and returns the answer to the last one. Leaving the page stops it. */
export const useCall = () => {
  const [state, setState] = useState<State>({ answer: null, problem: null, isSending: false })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const send = async (call: ApiCall, { token, file }: { token: string; file: File | null }) => {
    const control = new AbortController()
    running.current = control
    setState({ answer: null, problem: null, isSending: true })
    try {
      for await (const answer of sendCall(call, { token, file, signal: control.signal }))
        setState({ answer, problem: null, isSending: true })
    } catch (error) {
      // A call that was stopped keeps what has arrived.
      if (!control.signal.aborted)
        setState((last) => ({ ...last, problem: `The request failed: ${(error as Error).message}.` }))
    }
    if (running.current === control) setState((last) => ({ ...last, isSending: false }))
  }
  return { ...state, send, stop: () => running.current?.abort() }
}
