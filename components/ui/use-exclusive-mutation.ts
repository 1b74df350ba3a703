"use client"
import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query"
import { useCallback, useEffect, useRef } from "react"

/**
 * A mutation of which one runs at a time: what is asked while it is under way gets the answer of the one that runs. The
 * door closes at the very click: a button's `disabled` waits for the next render, and the second half of a double click
 * does not. It opens again once the page shows the end.
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
