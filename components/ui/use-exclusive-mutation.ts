"use client"
import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query"
import { useCallback, useEffect, useRef } from "react"

/**
 * Returns a mutation that runs once at a time. A call during a run returns the result of that run. This catches the second
 * click of a double click, which arrives before the button is rendered as disabled.
 */
export const useExclusiveMutation = <Data, Input = void>(
  options: UseMutationOptions<Data, Error, Input>,
): UseMutationResult<Data, Error, Input> => {
  const mutation = useMutation(options)
  const { isPending, submittedAt, mutateAsync: send } = mutation
  const running = useRef<Promise<Data> | null>(null)
  useEffect(() => {
    if (submittedAt > 0 && !isPending) running.current = null
  }, [isPending, submittedAt])
  const mutateAsync = useCallback<typeof send>(
    (...args) => {
      running.current ??= send(...args)
      return running.current
    },
    [send],
  )
  const mutate = useCallback<typeof mutation.mutate>(
    (...args) => void mutateAsync(...args).catch(() => undefined),
    [mutateAsync],
  )
  return { ...mutation, mutate, mutateAsync }
}
